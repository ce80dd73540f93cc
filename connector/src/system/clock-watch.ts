/** Watches the clock of the system: after a jump, nothing that cannot be undone follows from it until it is confirmed. */
import { readFileSync } from 'node:fs'
import writeFileAtomic from 'write-file-atomic'
import * as z from 'zod/mini'
import { keepDamagedFile } from './damaged-files.ts'
import type { Log } from './log.ts'
import { ignoreMissing } from './missing-file.ts'

export interface ClockWatch {
  /** Reads the clock. Whether it may end something for good: a root that has expired, a consent. */
  isTrusted(): boolean
  /** Reads the clock. */
  readings(): ClockReadings
  /** A service has signed its time: our clock is trusted when it is this close, in milliseconds. */
  confirm(offsetMs: number): void
  /** Calls back when the clock has jumped, when it was set back, and when it is trusted again. */
  onChange(listener: () => void): void
}

/** Milliseconds since 1970. */
export interface ClockReadings {
  readonly now: number
  /** The last trusted one: of now, or of before a jump. */
  readonly trustedAt: number
}

export interface ClockWatchOptions {
  /** The file with the last trusted reading. */
  readonly path: string
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Milliseconds since 1970, UTC. */
  readonly wallClock?: () => number
  /** Milliseconds on a clock that never goes back. */
  readonly monotonicClock?: () => number
}

/** The file of the last trusted reading. */
export const clockFileName = 'clock.json'

/** How often the clock of a process that stays is read, in milliseconds. */
const readMs = 60_000

/** Reads the clock every minute, for as long as the process runs. */
export function keepWatching(watch: ClockWatch): void {
  setInterval(watch.isTrusted, readMs).unref()
}

const hourMs = 3_600_000
/** Further ahead than this since the last reading is a jump, in milliseconds: a machine may be off for so long. */
const maxAheadMs = 30 * 24 * hourMs
/** Further back than this is one, in milliseconds: time zones and slow clocks are less. */
const maxBehindMs = 24 * hourMs
/** Further back than this it was set, in milliseconds: certificates begin an hour before the time at which they are made. */
const maxDriftMs = 600_000
/** A clock that has run on from a jump for so long is trusted, in milliseconds. */
const waitMs = 24 * hourMs
/** How often the file is written while nothing happens, in milliseconds. */
const writeMs = hourMs

/** Milliseconds since 1970, within those that have a date (ECMA-262 §21.4.1.1). */
const Instant = z.number().check(z.minimum(-8.64e15), z.maximum(8.64e15))

const StoredReading = z.object({
  trustedAt: Instant,
  /** The clock after a jump: its last reading, and how long it has run on since. */
  jump: z.optional(z.object({ at: Instant, ranMs: z.number() })),
})
type StoredReading = z.output<typeof StoredReading>

/** The first reading of all is trusted: there is nothing to compare it with. Throws when there is a file that cannot be read. */
export function openClockWatch({
  path,
  log,
  wallClock = Date.now,
  monotonicClock = () => performance.now(),
}: ClockWatchOptions): ClockWatch {
  const listeners = new Set<() => void>()
  const text = readText(path)
  const stored = parseReading(text)
  if (text !== undefined && stored === undefined) keepDamagedFile(path, log)
  let reading = stored ?? { trustedAt: wallClock() }
  let written = reading
  let readAt = monotonicClock()

  function read(): StoredReading {
    const now = wallClock()
    const ranMs = monotonicClock() - readAt
    readAt = monotonicClock()
    return judgeReading(reading, now, ranMs)
  }

  function update(next: StoredReading): void {
    const last = reading
    reading = next
    const change = findChange(last, next)
    logChange(change, last, next, log)
    const isChanged = change !== undefined
    if (isChanged || Math.abs(getAt(next) - getAt(written)) >= writeMs || written === last) store()
    const wasSetBack = getAt(next) < getAt(last) - maxDriftMs
    if (isChanged || wasSetBack) for (const listener of listeners) listener()
  }

  function store(): void {
    try {
      writeFileAtomic.sync(path, JSON.stringify(reading), { mode: 0o600 })
      written = reading
    } catch {
      // A disk that is full: the next reading is compared with an older one.
    }
  }

  return {
    isTrusted() {
      update(read())
      return reading.jump === undefined
    },
    readings() {
      update(read())
      return toReadings(reading)
    },
    confirm(offsetMs) {
      update(judgeByService(wallClock(), offsetMs))
    },
    onChange: (listener) => void listeners.add(listener),
  }
}

const getAt = ({ trustedAt, jump }: StoredReading) => jump?.at ?? trustedAt

/** What is new with a reading; undefined: nothing. */
function findChange(last: StoredReading, next: StoredReading): 'jumped' | 'trusted' | undefined {
  if (next.jump?.ranMs === 0 && last.jump?.at !== next.jump.at) return 'jumped'
  return last.jump && !next.jump ? 'trusted' : undefined
}

function logChange(
  change: ReturnType<typeof findChange>,
  last: StoredReading,
  next: StoredReading,
  log: ClockWatchOptions['log'],
): void {
  if (change === 'jumped') {
    log.warn('the clock has jumped: until it is confirmed nothing is replaced or ended for good', {
      from: toIso(last.trustedAt),
      to: toIso(getAt(next)),
    })
  }
  if (change === 'trusted') log.info('the clock is trusted again', { at: toIso(next.trustedAt) })
}

/** The clock as it is judged now by the file of a connector, which stays as it is. */
export interface JudgedClock extends ClockReadings {
  /** Milliseconds for which the clock has to run on after a jump until it is trusted; undefined: it is trusted. */
  readonly waitMs?: number
}

/** `now`: milliseconds since 1970. Without a file every clock is trusted. Throws when there is one that cannot be read. */
export function judgeClock(path: string, now: number): JudgedClock {
  const judged = judgeReading(parseReading(readText(path)) ?? { trustedAt: now }, now, 0)
  const { jump } = judged
  return { ...toReadings(judged), ...(jump && { waitMs: waitMs - jump.ranMs }) }
}

const toReadings = ({ trustedAt, jump }: StoredReading): ClockReadings => ({
  now: jump?.at ?? trustedAt,
  trustedAt,
})

/** What follows from a reading of the clock, `ranMs` after the last one. */
export function judgeReading(
  { trustedAt, jump }: StoredReading,
  now: number,
  ranMs: number,
): StoredReading {
  if (isNear(trustedAt, now)) return { trustedAt: now }
  if (jump === undefined || !isNear(jump.at, now)) return { trustedAt, jump: { at: now, ranMs: 0 } }
  const allMs = jump.ranMs + ranMs
  return allMs >= waitMs ? { trustedAt: now } : { trustedAt, jump: { at: now, ranMs: allMs } }
}

/** What follows from the time of a service, `offsetMs` after ours. */
function judgeByService(now: number, offsetMs: number): StoredReading {
  if (Math.abs(offsetMs) <= maxBehindMs) return { trustedAt: now }
  return judgeReading({ trustedAt: now + offsetMs, jump: { at: now, ranMs: 0 } }, now, 0)
}

const isNear = (last: number, now: number) => now - last <= maxAheadMs && last - now <= maxBehindMs

const toIso = (at: number) => new Date(at).toISOString()

/** undefined: there is no file. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return ignoreMissing(error)
  }
}

/** undefined: the text is no reading, or there is none. */
function parseReading(text = ''): StoredReading | undefined {
  try {
    return z.parse(StoredReading, JSON.parse(text))
  } catch {
    return undefined
  }
}
