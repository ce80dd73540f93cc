/** A machine of the fleet: when it syncs, when its user installs what is offered, and what the version does to it. */
import type { SeededRandom } from '../../bed/random.ts'
import { type Habit, habits, type Interval, pickHabit } from './habits.ts'

/** What a version does to a machine on which it fails: a fault, back to the earlier version, or never heard of again. */
export type Failure = 'fault' | 'back' | 'silence'
export const failures = ['fault', 'back', 'silence'] as const

export interface Release {
  /** The share of machines on which it fails, from 0 to 1. */
  readonly rate: number
  /** How it fails, one of these with each machine. */
  readonly failures: readonly Failure[]
  /** Hours after which something else strikes the fleet: a twelfth has a fault for days, a twelfth closes for a week. */
  readonly strikeAfter?: number
}

export interface Machine {
  readonly id: string
  readonly habit: Habit
  readonly failure: Failure | undefined
  /** It fails one sync later than others. */
  readonly isLate: boolean
  interval: Interval
  /** The hour of its last sync. */
  syncedAt: number
  version: 'earlier' | 'same'
  /** Since the version is on the machine; `never` if it is not. */
  hasSince: number
  /** When its user installs what was offered; or `never`. Undefined without an offer. */
  installAt: number | undefined
  /** Syncs with the version. */
  syncs: number
  /** A fault that has nothing to do with the version, until this hour. */
  fault: readonly string[]
  faultUntil: number
  /** When something else strikes it; or `never`. */
  strikeAt: number
  /** It stays off until then. */
  closedUntil: number
}

const cycleHours = 8
/** An hour far away; unlike Infinity, it is a small integer, which V8 keeps in the object. */
export const never = 1_000_000_000
/** Chance of a fault in an hour: two machines in a thousand get one each day. */
const faultRate = 0.002 / 24
const noFault: readonly string[] = []
const faults: readonly (readonly string[])[] = ['disk', 'reader', 'proxy', 'clock'].map((kind) => [
  kind,
])

export function createMachine(
  id: string,
  start: number,
  release: Release,
  random: SeededRandom,
): Machine {
  const habit = pickHabit(random)
  let interval = habits[habit](start - random.integer(100, 300), random)
  while (interval.until <= start) interval = habits[habit](interval.until, random)
  return {
    ...{ id, habit, interval, version: 'earlier', syncs: 0 },
    failure: random.chance(release.rate) ? random.pick(release.failures) : undefined,
    isLate: random.chance(0.1),
    ...{ syncedAt: start, hasSince: never, installAt: undefined },
    ...{ fault: noFault, faultUntil: 0, closedUntil: 0 },
    strikeAt: start + (release.strikeAfter ?? never - start),
  }
}

/** The hour of its first sync. */
export const findFirstSync = (
  { interval: { from } }: Machine,
  start: number,
  random: SeededRandom,
): number => (from > start ? from : start + random.integer(0, cycleHours - 1))

/** A cycle after this one if it is on, else when it is on again. */
export function findNextSync(machine: Machine, now: number, random: SeededRandom): number {
  const { habit, interval, closedUntil } = machine
  if (closedUntil <= now && now + cycleHours < interval.until) return now + cycleHours
  machine.interval = habits[habit](Math.max(interval.until, closedUntil), random)
  return machine.interval.from
}

/** What happened since the last sync; false if the machine is never heard of again. */
export function live(machine: Machine, now: number, random: SeededRandom): boolean {
  if (machine.installAt !== undefined && machine.installAt <= now) {
    machine.hasSince = Math.min(machine.hasSince, machine.installAt)
    machine.installAt = undefined
    if (machine.failure === 'silence') return false
    machine.version = 'same'
  }
  if (machine.version === 'same') machine.syncs += 1
  // The first or the second sync shows the fault, or is followed by the way back.
  const isShown = machine.syncs > (machine.isLate ? 2 : 1)
  if (machine.failure === 'back' && isShown) machine.version = 'earlier'
  if (now >= machine.faultUntil) machine.fault = noFault
  if (random.chance((now - machine.syncedAt) * faultRate)) getFault(machine, now, random)
  if (now >= machine.strikeAt) strike(machine, now, random)
  machine.syncedAt = now
  return true
}

function getFault(machine: Machine, now: number, random: SeededRandom): void {
  machine.fault = random.pick(faults)
  machine.faultUntil = now + random.integer(8, 72)
}

function strike(machine: Machine, now: number, random: SeededRandom): void {
  machine.strikeAt = never
  if (random.chance(1 / 12)) getFault(machine, now, random)
  if (random.chance(1 / 12)) machine.closedUntil = now + 7 * 24
}

/** The kinds of faults that it reports. */
export const report = ({ failure, fault, syncs, isLate }: Machine): readonly string[] =>
  failure === 'fault' && syncs > (isLate ? 1 : 0) ? [...fault, 'crash'] : fault

/** Of twenty users, thirteen install within a day, five within a week, two never. One who went back stays there. */
export function offer(machine: Machine, now: number, random: SeededRandom): void {
  if (machine.installAt === undefined && machine.syncs === 0)
    machine.installAt = Math.min(never, now + pickDelay(random))
}

function pickDelay(random: SeededRandom): number {
  const at = random.next()
  if (at < 0.65) return random.integer(1, 24)
  return at < 0.9 ? random.integer(24, 168) : never
}

/** What is no longer offered is no longer installed. */
export const withdraw = (machine: Machine): void => {
  machine.installAt = undefined
}
