/** The devices that wait at this node for news: one look at the audit each second, for all of them, says whom to answer. */
import { Problem, type WaitAnswer, waitBounds } from '@cardwire/protocol'
import type { DeviceAssertion } from '../auth/assertion.ts'
import { describeError } from '../db/describe-error.ts'
import type { WaitEnd } from '../ports.ts'
import { concerns, type News } from '../rules/news.ts'
import type { Services } from '../services.ts'
import { createNewsLog } from './news-log.ts'
import { createReplayGuard } from './replay-guard.ts'
import { createWaitingPlaces, type Guest } from './waiting-places.ts'
import { createWakePace } from './wake-pace.ts'

/** Milliseconds between two looks at the audit while devices wait. */
const pollMs = 1000
/** So many devices are answered at once: other requests have their turn before the next. */
const answeredAtOnce = 500
/** Seconds of which a device lets a random part pass: before it waits again, and when the node stops. */
const pauseS = { again: 2, stopped: 20 } as const
/** Seconds until a device asks again for a place where there was none. */
const retryS = { min: 600, max: 1200 } as const
/** Of so many devices, beside those that wait, the newest assertion is remembered: of those that a minute brings. */
const rememberedBesides = 20_000

interface Waiter extends Guest {
  readonly version: string
  /** The newest entry of the audit that is no news for it. */
  readonly since: number
  /** By a clock that is never set. */
  readonly endsAt: number
  /** Does nothing once it was answered. */
  answer(end: WaitEnd, answer: WaitAnswer): void
}

export interface Waiters {
  /** Seconds after which a wait of this device is answered; undefined: it cannot begin one here now. */
  offer(device: Guest): number | undefined
  /** Resolves when there is news for the device, when its time is over, or when the client is gone. */
  wait(assertion: DeviceAssertion, since: number, request: WaitRequest): Promise<WaitAnswer>
}

interface WaitRequest {
  /** That the device comes from. */
  readonly address: string
  /** Aborted when the client is. */
  readonly gone: AbortSignal
  /** Called when the response begins to wait: one that is answered at once is limited like any other. */
  hold(): void
}

type WaiterServices = Pick<
  Services,
  | 'db'
  | 'settings'
  | 'clock'
  | 'uptime'
  | 'random'
  | 'log'
  | 'stopping'
  | 'holdResponse'
  | 'metrics'
>

export function createWaiters(services: WaiterServices): Waiters {
  const { db, settings, clock, uptime, log, stopping, metrics } = services
  const waiters = createWaitingPlaces<Waiter>(settings.waits)
  const newsLog = createNewsLog(db)
  const accept = createReplayGuard(clock, 2 * settings.waits + rememberedBesides)
  const isOffered = services.holdResponse !== undefined && settings.waits > 0
  let isPolling = false

  /** Below `max`. */
  const random = (max: number) => {
    const [high = 0, middle = 0, low = 0] = services.random.bytes(3)
    return (max * (high * 65_536 + middle * 256 + low)) / 16_777_216
  }
  const pace = createWakePace(uptime, settings.wakeRate)
  /** `devices`: how many are woken together. */
  const wake = (id: string, devices?: number): WaitAnswer => ({
    sync: true,
    afterS: toMilliseconds(pace(id, devices)),
  })
  const findRetryS = () => Math.ceil(retryS.min + random(retryS.max - retryS.min))
  const sendAway = (maxS: number): WaitAnswer => ({
    sync: false,
    afterS: toMilliseconds(random(maxS)),
  })

  stopping?.addEventListener('abort', () => {
    for (const waiter of waiters.values()) waiter.answer('stopping', sendAway(pauseS.stopped))
  })

  return {
    offer(device) {
      const mayWait = isOffered && !stopping?.aborted && waiters.findRoom(device)
      return mayWait ? settings.waitS : undefined
    },

    async wait({ device, audit, at }, since, request) {
      if (!accept(device.id, at)) throw createFullProblem()
      if (!isOffered) return endAtOnce('not-offered', { sync: false, afterS: waitBounds.afterS })
      const newest = audit.sequence ?? 0
      await newsLog.open(newest)
      // From here to the list of waiters nothing may wait: what the next look finds would be lost.
      // A device that knows of more than there is: the service was restored from a backup.
      if (since > newest || newsLog.hasSince(device, since))
        return endAtOnce('news', wake(device.id))
      if (stopping?.aborted) return endAtOnce('stopping', sendAway(pauseS.stopped))
      // A new wait ends the one before, whose connection is lost most of the time.
      waiters.get(device.id)?.answer('replaced', sendAway(pauseS.stopped))
      const guest = { id: device.id, isApproved: device.approved, address: request.address }
      const room = waiters.findRoom(guest)
      if (!room) throw createFullProblem()
      room.leaves?.answer('full', { sync: false, afterS: findRetryS() })
      return hold({ ...guest, version: device.version }, since, request)
    },
  }

  function endAtOnce(end: WaitEnd, answer: WaitAnswer): WaitAnswer {
    metrics?.countWait(end)
    return answer
  }

  function hold(
    device: Guest & Pick<Waiter, 'version'>,
    since: number,
    { gone, hold: holdRequest }: WaitRequest,
  ): Promise<WaitAnswer> {
    holdRequest()
    const { promise, resolve } = Promise.withResolvers<WaitAnswer>()
    const { id } = device
    const leave = () => waiter.answer('gone', sendAway(pauseS.again))
    const waiter: Waiter = {
      ...{ ...device, since: Math.max(since, newsLog.position()) },
      // Spread: those that came together do not come together again.
      endsAt: uptime() + settings.waitS * 1000 * (1 - random(0.1)),
      answer(end, answer) {
        if (waiters.get(id) !== waiter) return
        waiters.remove(waiter)
        gone.removeEventListener('abort', leave)
        metrics?.countWait(end)
        metrics?.showWaits(waiters.size)
        resolve(answer)
      },
    }
    waiters.add(waiter)
    metrics?.showWaits(waiters.size)
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave)
    void poll()
    return promise
  }

  /** Counts it, too. */
  function createFullProblem(): Problem {
    metrics?.countWait('full')
    const retryAfterS = findRetryS()
    return new Problem(
      'service-busy',
      `Cannot let more devices wait (DS_WAITS): try again in ${retryAfterS} s`,
      { retryAfterS },
    )
  }

  /** Looks again and again, as long as a device waits. */
  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    while (waiters.size > 0) {
      await look().catch((error) =>
        log.error('cannot look for news of devices', { error: describeError(error) }),
      )
      endWaits()
      if (waiters.size > 0) await sleep(pollMs)
    }
    isPolling = false
  }

  async function look(): Promise<void> {
    const found = await newsLog.readNew()
    if (found.length === 0) return
    const woken = shuffle(selectWoken(found), random)
    for (const [index, waiter] of woken.entries()) {
      waiter.answer('news', wake(waiter.id, woken.length))
      if (index % answeredAtOnce === answeredAtOnce - 1) await sleep(0)
    }
  }

  function selectWoken(found: readonly News[]): Waiter[] {
    const isOfDevices = found.every(({ audience }) => audience.kind === 'device')
    // One look at each that waits only where the news may concern more than those that it names.
    const candidates = isOfDevices
      ? new Set(
          found.map(({ audience }) => ('id' in audience ? waiters.get(audience.id) : undefined)),
        )
      : waiters.values()
    return [...candidates].filter(
      (waiter) =>
        waiter !== undefined &&
        found.some(
          ({ sequence, audience }) => sequence > waiter.since && concerns(audience, waiter),
        ),
    ) as Waiter[]
  }

  function endWaits(): void {
    const now = uptime()
    for (const waiter of waiters.values())
      if (waiter.endsAt <= now)
        waiter.answer('time', { ...sendAway(pauseS.again), since: newsLog.position() })
  }
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Fisher and Yates. `random` gives a number below its argument. */
function shuffle<T>(list: readonly T[], random: (max: number) => number): T[] {
  const shuffled: T[] = []
  for (const [index, item] of list.entries()) {
    const other = Math.floor(random(index + 1))
    const moved = shuffled[other]
    if (moved !== undefined) shuffled[index] = moved
    shuffled[other] = item
  }
  return shuffled
}
