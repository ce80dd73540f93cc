/** What happens next to a rollout: a stage follows the other when enough is known about the devices of the first. */
import type { RolloutPlan } from './rollout.ts'
import type { TestResult } from './sequential-test.ts'

export type Step = 'stay' | 'halt' | 'next' | 'finish'

/** What is known of a rollout at some time. */
export interface Evidence {
  readonly verdict: TestResult['verdict']
  /** Milliseconds since the stage began. */
  readonly stageMs: number
  /** The devices that the stage should have reached: its share of all that synced in the last week. */
  readonly planned: number
  /** The devices that were reached. */
  readonly reached: number
  /** Of these, how many were reached, or got the version, too lately to be known as silent. */
  readonly fresh: number
}

/** A stage needs this share of its devices, and may have this share of them fresh. */
const [leastReached, mostFresh] = [0.5, 0.1]

/** Percent of the devices that may be reached before much is known. */
const mostUnknown = 10

/**
 * A stage lasts at least its time, and before one with more than a tenth of all devices (a group counts as less), until it is known which devices are
 * never heard of again. A paused rollout stays as it is, whatever happens.
 */
export function decideStep(
  { state, stages, stage }: Pick<RolloutPlan, 'state' | 'stages' | 'stage'>,
  evidence: Evidence,
): Step {
  if (state !== 'running') return 'stay'
  if (evidence.verdict === 'halt') return 'halt'
  if (evidence.stageMs < (stages[stage]?.holdS ?? 0) * 1000) return 'stay'
  const next = stages[stage + 1]
  if (!next) return 'finish'
  const isSmall = next.group !== undefined || next.share <= mostUnknown
  return isSmall || isKnown(evidence) ? 'next' : 'stay'
}

/** A small fleet has stages without a device. */
const isKnown = ({ planned, reached, fresh }: Evidence) =>
  reached >= Math.floor(planned * leastReached) && fresh <= reached * mostFresh
