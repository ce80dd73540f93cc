/** What must hold, and the results of the campaign; docs/reliability.md describes each invariant. */
import { createTally, type Tally } from '../../bed/campaign.ts'

export const invariants = [
  'token-in-time',
  'sync-on-cycle',
  'one-timer',
  'rotation-continues',
  'counted-once',
  'log-bounded',
  'log-whole',
  'rows-bounded',
  'database-bounded',
  'memory-flat',
  'no-defect',
] as const
export type Invariant = (typeof invariants)[number]

export type Results = Tally<Invariant>
export const createResults = (): Results => createTally(invariants)
