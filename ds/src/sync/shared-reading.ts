/** One request reads the database for all that need the same, again after the audit has an entry about it. */
import { createSingleFlight } from '../db/single-flight.ts'
import type { Clock } from '../ports.ts'

/** Call it when a request arrives, then with the newest sequence of the audit, read after that. */
export type SharedReading<T> = () => (sequence: number | null) => Promise<T>

interface Reading<T> {
  read(): Promise<T>
  /** Whether the audit has an entry behind this one that may change what `read` reads. */
  isChangedSince(sequence: number | null): Promise<boolean>
  /** How long it is used at most, in milliseconds; without end when absent. */
  readonly maxAgeMs?: number
}

export function createSharedReading<T>(
  clock: Clock,
  { read, isChangedSince, maxAgeMs = Number.POSITIVE_INFINITY }: Reading<T>,
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
      const isYoung = (startedAt: number) => Math.abs(arrivedAt - startedAt) < maxAgeMs
      const find = () =>
        cached &&
        ((cached.sequence === sequence && isYoung(cached.startedAt)) || cached.turn > arrivedInTurn)
          ? cached
          : undefined
      return singleFlight('reading', find, async () => {
        const startedAt = clock()
        turn += 1
        const startedInTurn = turn
        const before = cached
        // Most entries are about something else: each sign-in writes one. Fewer than before are those of a backup.
        const isSame =
          before &&
          isYoung(before.startedAt) &&
          (sequence ?? 0) >= (before.sequence ?? 0) &&
          !(await isChangedSince(before.sequence))
        const { value, startedAt: readAt } = isSame ? before : { value: await read(), startedAt }
        cached = { sequence, startedAt: readAt, turn: startedInTurn, value }
        return value
      })
    }
  }
}
