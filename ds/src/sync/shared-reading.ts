/** One request reads the database for all that need the same, again after the audit has a new entry. */
import { createSingleFlight } from '../db/single-flight.ts'
import type { Clock } from '../ports.ts'

/** Call it when a request arrives, then with the newest sequence of the audit, read after that. */
export type SharedReading<T> = () => (sequence: number | null) => Promise<T>

/** `maxAgeMs`: how long a reading is used at most, in milliseconds. */
export function createSharedReading<T>(
  clock: Clock,
  read: () => Promise<T>,
  maxAgeMs = Number.POSITIVE_INFINITY,
): SharedReading<T> {
  const singleFlight = createSingleFlight(clock)
  /** Counts arrivals and readings: which came first, whatever the clock does meanwhile. */
  let turn = 0
  let cached:
    | {
        readonly sequence: number | null
        readonly startedAt: number
        readonly turn: number
        readonly value: T
      }
    | undefined

  return () => {
    const arrivedAt = clock()
    turn += 1
    const arrivedInTurn = turn
    return (sequence) => {
      const find = () =>
        cached &&
        ((cached.sequence === sequence && Math.abs(arrivedAt - cached.startedAt) < maxAgeMs) ||
          cached.turn > arrivedInTurn)
          ? cached
          : undefined
      return singleFlight('reading', find, async () => {
        const startedAt = clock()
        turn += 1
        const startedInTurn = turn
        const value = await read()
        cached = { sequence, startedAt, turn: startedInTurn, value }
        return value
      })
    }
  }
}
