/** One rollout in one fleet, hour by hour, with the rules of the service. */
import { hash } from 'node:crypto'
import type { Arm, RolloutPlan } from '../../../ds/src/rules/rollout.ts'
import type { Progress } from '../../../ds/src/rules/rollout-progress.ts'
import { prepareVerdicts } from '../../../ds/src/rules/verdict.ts'
import { createRandom, type SeededRandom } from '../../bed/random.ts'
import { countDevices, hourMs } from './evidence.ts'
import {
  createMachine,
  findFirstSync,
  findNextSync,
  live,
  type Machine,
  never,
  offer,
  type Release,
  report,
  withdraw,
} from './machine.ts'
import { type Rules, rules as rulesOfService } from './rules.ts'

export interface RunOptions {
  readonly seed: number
  readonly machines: number
  readonly release: Release
  /** Hours after which an administrator pauses the rollout, until the end. */
  readonly pauseAfter?: number
  readonly rules?: Rules
}

export interface RunResult {
  readonly state: RolloutPlan['state']
  readonly stage: number
  /** At the end, in percent of the fleet. */
  readonly share: number
  readonly hours: number
  /** Hours that the stages began after the start. */
  readonly stagesAt: readonly number[]
  /** What was offered beyond the stage, and what a pause did not keep. */
  readonly violations: readonly string[]
}

const maxHours = 60 * 24
const pauseHours = 7 * 24
const maxViolations = 5
/** The service looks at the test more often; little changes within a cycle of the machines. */
const evaluationHours = 8
const rates = { goodRate: 0.01, badRate: 0.04 }
/** What a percentile is compared with, apart from the rules. */
const shares = [1, 10, 100]
const draft: RolloutPlan = {
  ...{ id: 'rollout', versionId: '2.0.0', flag: 'recommended', state: 'running', stage: 0 },
  stages: shares.map((share) => ({ share, holdS: 2 * 86_400 })),
}
const releases = ['1.0.0', '2.0.0'].map((id) => ({
  ...{ id, recommended: false, mandatory: false, allowed: true },
  uris: [{ os: 'UNIX' as const }],
}))

interface Member extends Machine {
  readonly percentile: number
  /** From the same hash, but not by the rules. */
  readonly place: number
  progress: Progress | undefined
}

export function runRollout(options: RunOptions): RunResult {
  const { seed, machines, release, rules = rulesOfService } = options
  const random = createRandom(seed)
  const start = random.integer(168, 335)
  const members = createMembers(seed, machines, start, release, random, rules)
  const syncs: Member[][] = Array.from({ length: maxHours + 1 }, () => [])
  const plan = (member: Member, at: number) => syncs[at - start]?.push(member)
  for (const member of members) plan(member, findFirstSync(member, start, random))
  const rollout = createRollout(options, members, start, rules)
  let hour = start
  for (; hour - start <= maxHours && !rollout.hasEnded(hour); hour += 1) {
    for (const member of syncs[hour - start] ?? []) {
      if (!live(member, hour, random)) continue
      rollout.sync(member, hour, random)
      plan(member, findNextSync(member, hour, random))
    }
    if ((hour - start) % evaluationHours === 0) rollout.evaluate(hour)
  }
  return rollout.describe(hour)
}

const createMembers = (
  seed: number,
  count: number,
  start: number,
  release: Release,
  random: SeededRandom,
  rules: Rules,
): readonly Member[] =>
  Array.from({ length: count }, (_, at) => {
    const machine = createMachine(`${seed}-${at}`, start, release, random)
    const sha256 = hash('sha256', `salt-${machine.id}`)
    const place = (Buffer.from(sha256, 'hex').readUInt32BE() / 2 ** 32) * 100
    return { ...machine, percentile: rules.toPercentile(sha256), place, progress: undefined }
  })

function createRollout(
  { pauseAfter = Number.POSITIVE_INFINITY }: RunOptions,
  members: readonly Member[],
  start: number,
  rules: Rules,
) {
  let rollout = draft
  let paused: RolloutPlan | undefined
  const stagesAt = [0]
  const violations: string[] = []
  let views = createViews(rollout, rules)
  const change = (changes: Partial<RolloutPlan>) => {
    rollout = { ...rollout, ...changes }
    views = createViews(rollout, rules)
  }

  const decide = (hour: number) => {
    const now = hour * hourMs
    const { groups, active, fresh } = countDevices(members, rollout.stage, hour, rules)
    return rules.decideStep(rollout, {
      ...{ verdict: rules.testRollout(groups, rates).verdict, fresh },
      stageMs: now - (start + (stagesAt.at(-1) ?? 0)) * hourMs,
      planned: (active * rules.getShare(rollout)) / 100,
      reached: groups.reached.devices,
    })
  }

  return {
    sync(member: Member, hour: number, random: SeededRandom): void {
      const arm = rules.findArm(member.percentile, rules.getShare(rollout))
      const faults = report(member)
      const seen = { arm, stage: rollout.stage, now: hour * hourMs, has: member.version, faults }
      member.progress = rules.observe(member.progress, seen) ?? member.progress
      if (!views.isOffered(arm)) {
        withdraw(member)
        return
      }
      offer(member, hour, random)
      if (member.place >= (shares[rollout.stage] ?? 0) && violations.length < maxViolations)
        violations.push(`${member.id} at ${member.place} is offered it in stage ${rollout.stage}`)
    },
    evaluate(hour: number): void {
      if (hour - start >= pauseAfter && !paused) {
        change({ state: 'paused' })
        paused = rollout
      }
      const step = decide(hour)
      if (step === 'halt') change({ state: 'halted' })
      if (step === 'finish') change({ state: 'finished' })
      if (step !== 'next') return
      stagesAt.push(hour - start)
      change({ stage: rollout.stage + 1 })
    },
    hasEnded: (hour: number) =>
      paused
        ? hour - start > pauseAfter + pauseHours
        : rollout.state === 'halted' || rollout.state === 'finished',
    describe: (hour: number): RunResult => {
      if (paused && paused !== rollout) violations.push('the pause did not keep the rollout')
      const has = members.filter(
        ({ hasSince, installAt = never }) => Math.min(hasSince, installAt) <= hour,
      )
      const share = (has.length / members.length) * 100
      const { state, stage } = rollout
      return { state, stage, share, hours: hour - start, stagesAt, violations }
    },
  }
}

/** What both kinds of devices are offered, as long as the rollout stays as it is. */
function createViews(rollout: RolloutPlan, rules: Rules) {
  const isRecommended = (reachedBy: readonly string[]) =>
    prepareVerdicts(rules.applyRollouts(releases, [rollout], new Set(reachedBy)))('1.0.0', 'UNIX')
      .action === 'recommend'
  const offered = { reached: isRecommended([rollout.id]), others: isRecommended([]) }
  return {
    isOffered: (arm: Arm | undefined) => (arm === 'reached' ? offered.reached : offered.others),
  }
}
