/** Counts repeated events of the log: the first ones of an account or page are listed, the others become one line. */
import type { Clock } from './clock.ts'

type Fields = Readonly<Record<string, unknown>>

/** Lines of an event that are listed, for each account or page, and how long the others are counted, in milliseconds. */
export const countLimits = { listed: 20, windowMs: 3_600_000 } as const
/** Accounts or pages, and events, that are told apart; the rest counts as one. */
const maxKeys = 1000

export interface EventCounter {
  /** Whether this one is to be listed. `cause`: the account or page whose lines are counted by themselves; one that is undefined is not named. */
  count(event: string, cause: Fields): boolean
}

/** `report` is called at the end of an hour with the number of those that were not listed. */
export function createEventCounter(
  clock: Clock,
  report: (event: string, fields: Fields) => void,
): EventCounter {
  const counts = new Map<string, number>()

  return {
    count(event, cause) {
      const own = `${event} ${JSON.stringify(cause)}`
      const isKnown = counts.has(own) || counts.size < maxKeys
      const key = isKnown ? own : event
      const before = counts.get(key) ?? 0
      counts.set(key, before + 1)
      if (before === 0) {
        clock.after(countLimits.windowMs, () => {
          const unlisted = (counts.get(key) ?? 0) - countLimits.listed
          counts.delete(key)
          if (unlisted <= 0) return
          const named = isKnown ? cause : {}
          report('repeated within an hour', { repeated: event, count: unlisted, ...named })
        })
      }
      return before < countLimits.listed
    },
  }
}
