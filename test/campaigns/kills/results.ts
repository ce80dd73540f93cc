/** What must hold, and the results of the campaign; docs/reliability.md describes each invariant. */
import { createTally, type Tally } from '../../bed/campaign.ts'

export const invariants = [
  'starts-again',
  'answered-in-time',
  'no-defect',
  'acknowledged-kept',
  'counted-once',
  'database-whole',
  'listing-true',
  'settles',
  'answers-right',
  'fails-with-its-node',
] as const
export type Invariant = (typeof invariants)[number]

export type Results = Tally<Invariant>
export const createResults = (): Results => createTally(invariants)
