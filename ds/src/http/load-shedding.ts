/** Limits how many devices synchronize at once: the others are told to retry later. */
import { Problem } from '@cardwire/protocol'
import type { Services } from '../services.ts'

/** Ten keep two cores busy; with more at once each takes longer. */
const defaultMaxConcurrent = 64

/** Of one device, which asks once in a cycle: the others keep their places when one asks in a loop. */
const maxPerDevice = 4

/** Of everyone who names a device that the service does not know: they take none of the devices' places. */
const maxStrangers = 4

/** How often a request shows that it still runs. */
const beatMs = 1000
/** A Worker ends a request whose client has left, without a word and without its `finally`: then its place is free. */
const aliveMs = 5000

/** A device that is rejected retries at a random moment within a window; its limits in seconds. */
const minRetryS = 2
const retryWindowS = { min: 30, max: 600 }

export interface LoadLimit {
  /** Runs a part of the work on a request of a device, or throws `service-busy`. No part waits for the client. */
  run<T>(device: string, work: () => Promise<T>): Promise<T>
  /** The same for the last part, whose device is served then. */
  finish<T>(device: string, work: () => Promise<T>): Promise<T>
  /** The same for who names no known device. Who is rejected here is no device that waits. */
  runForStranger<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Counts the requests that the service works on, never those whose bodies are still to come: a client that sends slowly
 * takes nobody's place.
 */
export function createLoadLimit(
  { random, clock }: Pick<Services, 'random' | 'clock'>,
  maxConcurrent = defaultMaxConcurrent,
): LoadLimit {
  const places = createPlaces(clock)
  const placesOfDevices = createPlaces(clock)
  const placesOfStrangers = createPlaces(clock)
  const backlog = createBacklog(clock)
  const run: LoadLimit['run'] = (device, work) =>
    hold(placesOfDevices.take(device, maxPerDevice), createDeviceBusyProblem, () =>
      hold(
        places.take('', maxConcurrent),
        () => createBusyProblem('sync so many devices', backlog.countRejected()),
        work,
      ),
    )
  return {
    run,
    finish: (device, work) => run(device, () => work().finally(backlog.countServed)),
    runForStranger: (work) =>
      hold(
        placesOfStrangers.take('', maxStrangers),
        () => createBusyProblem('handle so many unknown devices'),
        work,
      ),
  }

  /** `leave` gives a place back; undefined: all are taken. */
  async function hold<T>(
    leave: (() => void) | undefined,
    createProblem: () => Problem,
    work: () => Promise<T>,
  ): Promise<T> {
    if (!leave) throw createProblem()
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** `neededS`: in how many seconds all that wait can be served. */
  function createBusyProblem(action: string, neededS = 0): Problem {
    const [high = 0, low = 0] = random.bytes(2)
    const windowS = Math.min(Math.max(neededS, retryWindowS.min), retryWindowS.max)
    const retryAfterS = Math.ceil(minRetryS + (windowS * (high * 256 + low)) / 65_536)
    return new Problem('service-busy', `Cannot ${action} at once: try again in ${retryAfterS} s`, {
      retryAfterS,
    })
  }
}

/** Counts who works, by name. */
function createPlaces(clock: Services['clock']) {
  const taken = new Set<{ readonly name: string; aliveAt: number }>()
  return {
    /** Takes a place of those with this name; returns what gives it back, or undefined when `most` are taken. */
    take(name: string, most: number): (() => void) | undefined {
      const now = clock()
      let count = 0
      for (const place of taken) {
        if (Math.abs(now - place.aliveAt) >= aliveMs) taken.delete(place)
        else if (place.name === name) count += 1
      }
      if (count >= most) return undefined
      const place = { name, aliveAt: now }
      taken.add(place)
      // Ends with its request.
      const beat = setInterval(() => {
        place.aliveAt = clock()
        taken.add(place)
      }, beatMs)
      return () => {
        clearInterval(beat)
        taken.delete(place)
      }
    },
  }
}

/** It does not count as a device that waits: that one has its places. */
const createDeviceBusyProblem = () =>
  new Problem(
    'service-busy',
    `Cannot sync this device more than ${maxPerDevice} times at once: try again in ${minRetryS} s`,
    { retryAfterS: minRetryS },
  )

/** Counts the devices that wait, and how fast devices are served: a slow machine needs a longer window for as many. */
function createBacklog(clock: Services['clock']) {
  let [waiting, served, since, expiresAt] = [0, 0, 0, 0]
  return {
    /** Counts one; returns the seconds in which all that wait can be served. */
    countRejected(): number {
      const now = clock()
      if (waiting === 0 || now > expiresAt) [waiting, served, since] = [0, 0, now]
      waiting += 1
      // A device that is rejected twice is counted twice: without this the count would never reach zero again.
      expiresAt = now + retryWindowS.max * 1000
      const perSecond = served / Math.max(1, (now - since) / 1000)
      return perSecond === 0 ? 0 : waiting / perSecond
    },
    countServed(): void {
      served += 1
      waiting = Math.max(0, waiting - 1)
    },
  }
}
