/** The entries of all allowlists, for preflights: a set, which one request reads again after the audit has a new entry. */
import { eq, sql } from 'drizzle-orm'
import { newestSequence } from '../db/audit.ts'
import { audit, configurations } from '../db/schema.ts'
import type { Services } from '../services.ts'

/** How often a request looks whether another one has read them, in milliseconds. */
const pollMs = 50
/** A Worker ends a request whose client has left, without a word: the next one reads then. */
const aliveMs = 5000

const sleepWithTimer = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Strangers ask: reading takes a tenth of a second where there are many, so it never happens twice at once. */
export function createAllowedOriginsReader(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  sleep: (ms: number) => Promise<void> = sleepWithTimer,
): () => Promise<ReadonlySet<string>> {
  const selectNewest = db.select({ sequence: newestSequence }).from(audit).limit(1).prepare()
  let cached:
    | {
        readonly sequence: number | null
        readonly startedAt: number
        readonly origins: ReadonlySet<string>
      }
    | undefined
  /** Since when a request reads them. */
  let readingSince: number | undefined

  const isBeingRead = () => readingSince !== undefined && Math.abs(clock() - readingSince) < aliveMs

  return async () => {
    const arrivedAt = clock()
    const sequence = (await selectNewest.get())?.sequence ?? null
    for (;;) {
      if (cached && (cached.sequence === sequence || cached.startedAt > arrivedAt))
        return cached.origins
      if (!isBeingRead()) return read(sequence)
      // Each with its own timer: on Workers nothing may depend on another request.
      await sleep(pollMs)
    }
  }

  async function read(sequence: number | null): Promise<ReadonlySet<string>> {
    const startedAt = clock()
    readingSince = startedAt
    try {
      const rows = await db
        .selectDistinct({ value: sql<string>`entry.value` })
        .from(
          sql`${configurations}, ${db.sqlDialect.eachText(configurations.config, 'cors')} as entry`,
        )
        .where(eq(configurations.type, 'CONTEXT_CONFIG'))
      const origins = new Set(rows.map(({ value }) => value))
      cached = { sequence, startedAt, origins }
      return origins
    } finally {
      readingSince = undefined
    }
  }
}
