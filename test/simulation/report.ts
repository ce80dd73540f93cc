/** What a seed did, as counts and as a trace, and how it failed. */
import { createCounts } from '../bed/campaign.ts'

/** What must hold after every step; each is described in docs/reliability.md. */
export const invariants = [
  'counted-once',
  'acknowledged-kept',
  'policy-in-order',
  'reply-own',
  'blocked-refused',
  'withdrawn-key-silent',
  'forbidden-ends',
  'rollout-in-stage',
  'rollout-kept',
  'rollout-stands',
  'rollout-held',
  'rollout-halted',
  'rollout-unseen',
  'no-defect',
  'back-again',
  'never-locked-out',
] as const
export type Invariant = (typeof invariants)[number]

/** An invariant that does not hold. */
export class Violation extends Error {
  readonly invariant: Invariant

  constructor(invariant: Invariant, reason: string) {
    super(`${invariant}: ${reason}`)
    this.invariant = invariant
  }
}

export interface Report {
  /** Counts an event of a kind, and writes it into the trace. */
  event(kind: string, detail?: string): void
  /** The same for a fault that the simulation made. */
  fault(kind: string, detail?: string): void
  /** Counts that an invariant was looked at. */
  checked(invariant: Invariant): void
  now(): number
  readonly events: ReadonlyMap<string, number>
  readonly faults: ReadonlyMap<string, number>
  readonly checks: ReadonlyMap<string, number>
  readonly trace: readonly string[]
  /** Of the whole trace: the same seed gives the same. */
  digest(): string
}

export function createReport(now: () => number): Report {
  const counts = { events: createCounts(), faults: createCounts(), checks: createCounts() }
  const trace: string[] = []
  const startAt = now()
  const write = (kind: string, detail: string) =>
    void trace.push(`${((now() - startAt) / 1000).toFixed(3)} ${kind} ${detail}`)
  return {
    event(kind, detail = '') {
      counts.events.add(kind)
      write(kind, detail)
    },
    fault(kind, detail = '') {
      counts.faults.add(kind)
      write(`fault ${kind}`, detail)
    },
    now,
    checked: (invariant) => counts.checks.add(invariant),
    events: counts.events.all,
    faults: counts.faults.all,
    checks: counts.checks.all,
    trace,
    digest: () =>
      new Bun.CryptoHasher('sha256').update(trace.join('\n')).digest('hex').slice(0, 16),
  }
}
