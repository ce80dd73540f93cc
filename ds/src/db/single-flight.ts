/** One request makes a value, and others that need the same one wait for it. */
import type { Clock } from '../ports.ts'

/** How often a request looks whether another one has made it, in milliseconds: at first soon, then seldom. */
const [minPollMs, maxPollMs] = [1, 50]
/** How often the request that makes it shows that it still runs. */
const beatMs = 1000
/** A Worker ends a request whose client has left, without a word: then another one makes it. */
const aliveMs = 5000

/**
 * `find` gives the value that is there. `make` makes one, and stores it where `find` finds it. When it throws, those that
 * waited for it throw the same.
 */
export type SingleFlight = <T>(
  key: string,
  find: () => { readonly value: T } | undefined,
  make: () => Promise<T>,
) => Promise<T>

interface Flight {
  aliveAt: number
  failure?: { readonly error: unknown }
}

const sleepWithTimer = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Not a shared promise: on Workers that ends with the request that made it. */
export function createSingleFlight(
  clock: Clock,
  sleep: (ms: number) => Promise<void> = sleepWithTimer,
): SingleFlight {
  const flights = new Map<string, Flight>()

  async function run<T>(key: string, make: () => Promise<T>): Promise<T> {
    const flight: Flight = { aliveAt: clock() }
    flights.set(key, flight)
    // Ends with its request.
    const beat = setInterval(() => {
      flight.aliveAt = clock()
    }, beatMs)
    try {
      return await make()
    } catch (error) {
      flight.failure = { error }
      throw error
    } finally {
      clearInterval(beat)
      if (flights.get(key) === flight) flights.delete(key)
    }
  }

  return async (key, find, make) => {
    for (let pollMs = minPollMs; ; pollMs = Math.min(pollMs * 2, maxPollMs)) {
      const found = find()
      if (found) return found.value
      const flight = flights.get(key)
      if (!flight || Math.abs(clock() - flight.aliveAt) >= aliveMs) return run(key, make)
      // Each with its own timer: on Workers nothing may depend on another request.
      await sleep(pollMs)
      if (flight.failure) throw flight.failure.error
    }
  }
}
