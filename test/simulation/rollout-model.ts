/** What each device may be told while versions are rolled out, and that a rollout changes only as it should. */
import {
  type AskingDevice,
  findDownload,
  findTold,
  isOfferedTo,
  type Releases,
  type StoredRollout,
  type Told,
} from './releases.ts'
import type { Invariant, Report } from './report.ts'

type Check = (invariant: Invariant, holds: boolean, reason: () => string) => void

interface Stored extends Releases {
  /** The step in which it was stored. */
  readonly step: number
}

export function createRolloutModel(check: Check, report: Report) {
  /** All that was stored, the newest last. */
  let history: readonly Stored[] = []
  /** Rollouts that an administrator is changing. */
  const changing = new Set<string>()
  /** When a clock of the service was set last. */
  let clockSetAt = Number.NEGATIVE_INFINITY
  /** By the digest that replies name: what a device with it was told. */
  const toldByState = new Map<string, Told>()

  /** All that was stored while a request was answered that came in this step. */
  const findStoredSince = (arrived: number): readonly Stored[] => {
    const first = history.findLastIndex(({ step }) => step < arrived)
    return history.slice(Math.max(0, first))
  }

  return {
    /** Versions or rollouts have changed. */
    changed(releases: Releases, step: number) {
      const before = history.at(-1)
      history = [...history, { ...releases, step }]
      for (const rollout of before?.rollouts ?? []) {
        const now = releases.rollouts.find(({ id }) => id === rollout.id)
        if (now && (now.state !== rollout.state || now.stage !== rollout.stage)) {
          const by = changing.has(rollout.id) ? 'by an administrator' : 'by the service'
          report.event(`rollout ${rollout.state} to ${now.state} ${by}`, `${now.id} ${now.stage}`)
        }
        checkChange(rollout, now, changing.has(rollout.id))
      }
    },
    /** A backup has taken the place of what was stored. */
    restored() {
      history = []
    },
    clockSet() {
      clockSetAt = report.now()
    },
    mayChange: (rollout: string) => void changing.add(rollout),
    /** An administrator was told that a rollout is in this state now; or that it cannot be. */
    hasChanged(rollout: string, state?: StoredRollout['state']) {
      changing.delete(rollout)
      const stored = history.at(-1)?.rollouts.find(({ id }) => id === rollout)
      check(
        'acknowledged-kept',
        state === undefined || state === 'running' || stored?.state === state,
        () => `rollout ${rollout} was stored as ${state}, and is ${stored?.state}`,
      )
    },
    /** What a device was told that asked in this step; undefined: nothing new since what `state` stands for. */
    told(device: AskingDevice, state: string, news: Told | undefined, arrived: number) {
      if (news) toldByState.set(state, news)
      const told = toldByState.get(state)
      const stored = findStoredSince(arrived)
      if (told === undefined || stored.length === 0) return
      const isRight = stored
        .map((releases) => findTold(releases, device))
        .some(({ action, offer }) => action === told.action && offer === told.offer)
      const broken = isRight ? undefined : findBroken(stored, device, told)
      const reason = () =>
        `device ${device.id} with ${device.version} was told to ${told.action} ${told.offer}: ${JSON.stringify(stored.at(-1))}`
      for (const invariant of new Set([...listConcerned(stored, device), broken]))
        if (invariant) check(invariant, invariant !== broken, reason)
    },
    /** A user without a device was given this version. */
    downloaded(version: string | undefined, arrived: number) {
      const stored = findStoredSince(arrived)
      check(
        'rollout-in-stage',
        stored.length === 0 || stored.some((releases) => findDownload(releases) === version),
        () => `${version} was downloaded: ${JSON.stringify(stored.at(-1))}`,
      )
    },
  }

  /** From one stored state of a rollout to the next. */
  function checkChange(
    before: StoredRollout,
    now: StoredRollout | undefined,
    isChanging: boolean,
  ): void {
    const { id, state, stage, salt, stages } = before
    const isMoved = now?.state !== state || now.stage !== stage
    if (state !== 'running')
      check(
        'rollout-stands',
        (isChanging && (now === undefined || now.stage === stage)) || !isMoved,
        () => `rollout ${id} was ${state} in stage ${stage}, and is ${now?.state} in ${now?.stage}`,
      )
    if (state === 'running' && now && !isChanging && isBegun(before, now))
      check(
        'rollout-held',
        isHeld(before, now) || report.now() - clockSetAt < decisionMs,
        () => `rollout ${id} went from ${JSON.stringify(before)} to ${JSON.stringify(now)}`,
      )
    if (state === 'running' || state === 'paused')
      check(
        'rollout-kept',
        now === undefined ||
          (now.stage >= stage &&
            now.salt === salt &&
            JSON.stringify(now.stages) === JSON.stringify(stages)),
        () => `rollout ${id} was in stage ${stage}, and reaches other devices in ${now?.stage}`,
      )
  }
}

/** A clock that is set back between a decision and the statement that stores it makes the stage seem shorter. */
const decisionMs = 5000

const isBegun = (before: StoredRollout, now: StoredRollout) =>
  now.stage > before.stage || now.state === 'finished'

/** Whether one stage has followed the other, or the end the last one, and not before its time. */
function isHeld(before: StoredRollout, now: StoredRollout): boolean {
  const { stage, stageAt, stages } = before
  const isNext = now.state === 'finished' ? stage === stages.length - 1 : now.stage === stage + 1
  return isNext && now.updatedAt - (stageAt ?? 0) >= (stages[stage]?.holdS ?? 0) * 1000
}

const isOpen = ({ state }: StoredRollout) => state !== 'finished'

/** What an answer to a device says something about. */
function listConcerned(stored: readonly Stored[], device: AskingDevice): readonly Invariant[] {
  const open = stored.at(-1)?.rollouts.filter(isOpen) ?? []
  const newer = open.filter(({ version }) => version > device.version)
  const isUnreached = open.every((rollout) => !isOfferedTo(rollout, device))
  return [
    ...(isUnreached ? (['rollout-unseen'] as const) : []),
    ...newer.map((rollout) => {
      if (rollout.state === 'halted') return 'rollout-halted'
      return isOfferedTo(rollout, device) ? 'rollout-kept' : 'rollout-in-stage'
    }),
  ]
}

/** What a wrong answer breaks. */
function findBroken(
  stored: readonly Stored[],
  device: AskingDevice,
  { action, offer = '' }: Told,
): Invariant {
  const open = stored.at(-1)?.rollouts.filter(isOpen) ?? []
  const newer = open.filter(({ version }) => version > device.version)
  const reached = newer.filter((rollout) => isOfferedTo(rollout, device))
  const isSeen = ({ version, flag }: StoredRollout) =>
    version === offer || (flag === 'mandatory' && action === 'require')
  const seen = newer.find((rollout) => !reached.includes(rollout) && isSeen(rollout))
  if (seen) return seen.state === 'halted' ? 'rollout-halted' : 'rollout-in-stage'
  const isMissed = reached.some(
    ({ version, flag }) =>
      offer < version || (flag === 'mandatory' && /^(none|recommend)$/.test(action)),
  )
  return isMissed ? 'rollout-kept' : 'rollout-unseen'
}
