/** A row of the table: a fault, what has to hold meanwhile and after it, and what was seen. */
import { formatTable } from '../../bed/campaign.ts'

export interface Row {
  readonly program: 'service' | 'connector'
  readonly fault: string
  readonly holds: string
  /** Whether it takes a few seconds at most: then it runs with the tests. */
  readonly isQuick?: boolean
  /** Resolves with what was seen; throws when something does not hold. */
  run(): Promise<string>
}

export interface Outcome {
  readonly row: Row
  readonly holds: boolean
  readonly observation: string
}

export async function runRow(row: Row): Promise<Outcome> {
  try {
    return { row, holds: true, observation: await row.run() }
  } catch (error) {
    return {
      row,
      holds: false,
      observation: error instanceof Error ? error.message : String(error),
    }
  }
}

/** As a table of Markdown. */
export const formatOutcomes = (outcomes: readonly Outcome[]): string =>
  formatTable(
    ['Program', 'Fault', 'What has to hold', 'What was seen', ''],
    outcomes.map(({ row: { program, fault, holds: promise }, holds, observation }) => [
      ...[program, fault, promise, observation],
      holds ? 'holds' : '**fails**',
    ]),
  )

/** Throws with the reason. */
export function check(holds: boolean, reason: string): void {
  if (!holds) throw new Error(reason)
}

/** How long `work` takes, in milliseconds, and what it resolves with. Throws when it takes longer than `maxMs`. */
export async function within<T>(
  maxMs: number,
  what: string,
  work: () => Promise<T>,
): Promise<{ readonly ms: number; readonly value: T }> {
  const from = performance.now()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`${what} has no end after ${maxMs} ms`)),
    maxMs,
  )
  try {
    const value = await Promise.race([work(), late.promise])
    return { ms: Math.round(performance.now() - from), value }
  } finally {
    clearTimeout(timer)
  }
}

/** Repeats until it holds. Throws when that takes longer than `maxMs`; resolves with how long it took. */
export async function until(
  maxMs: number,
  what: string,
  holds: () => Promise<boolean>,
): Promise<number> {
  const from = performance.now()
  while (!(await holds().catch(() => false))) {
    check(performance.now() - from < maxMs, `${what}: not after ${maxMs} ms`)
    await new Promise((done) => setTimeout(done, 50))
  }
  return Math.round(performance.now() - from)
}
