/**
 * Whether a rollout does harm: the sequential probability ratio test (A. Wald, Sequential Tests of Statistical Hypotheses, 1945),
 * which can be looked at after each device and still rarely errs.
 */

/** How the devices of a group fare. */
export interface Counts {
  /** All devices of the group. */
  readonly devices: number
  /** Those that synced with the version. */
  readonly installed: number
  readonly successes: number
  /** Devices with a new fault, and those that went back to an earlier version. */
  readonly failures: number
  /** Devices without a failure that have not synced for long, whatever they did before. */
  readonly silent: number
}

/** The devices of a rollout. */
export interface Groups {
  /** All that it has reached. */
  readonly reached: Counts
  /** Those of them that it reached in the current stage. */
  readonly reachedInStage: Counts
  /** Those that it has not reached, as they were noted in the current stage. */
  readonly control: Counts
}

/** Shares of devices on which a version fails: a good one at most, and one that has to be halted. From 0 to 1. */
export interface Rates {
  readonly goodRate: number
  readonly badRate: number
}

export interface TestResult {
  /** The logarithm of how much better the bad rate explains the counts than the good one. */
  readonly ratio: number
  /** At this ratio or above, the rollout is halted. */
  readonly halt: number
  /** At this ratio or below, the version counts as good. */
  readonly accept: number
  readonly verdict: 'halt' | 'accept' | 'open'
  /** Failures, with the silent devices that are more than the control group lets expect. */
  readonly failures: number
  /** Successes and failures together. */
  readonly tested: number
}

/** How often a good version is halted, and a bad one accepted: three ratios are looked at, again and again. */
const [falseHalt, falseAccept] = [0.005, 0.05]

export const bounds = {
  halt: Math.log((1 - falseAccept) / falseHalt),
  accept: Math.log(falseAccept / (1 - falseHalt)),
} as const

/**
 * What happens to the control group, too, is not the fault of the version. The highest of three ratios counts: that of failures, that
 * of silent devices, and that of both. A version can do any of this, and while many devices are switched off, only failures tell.
 * A failure is a change since a device was noted. A device of an earlier stage was noted before the control group, and had more time
 * for one, so only those of this stage are compared. Silence shows days later, when the next stage may have begun: it counts of all.
 */
export function testRollout(groups: Groups, rates: Rates): TestResult {
  const { reached, reachedInStage, control } = groups
  const ratio = Math.max(
    compare(reachedInStage, control, countFailures, rates),
    compare(reached, control, countSilent, rates),
    compare(reachedInStage, control, countBoth, rates),
  )
  const { devices, successes, failures, silent } = reached
  const verdict = ratio >= bounds.halt ? 'halt' : ratio <= bounds.accept ? 'accept' : 'open'
  const expected = devices * estimate({ hits: control.silent, of: control.devices })
  return {
    ...bounds,
    ...{ ratio, verdict },
    failures: failures + Math.max(0, silent - expected),
    tested: successes + failures,
  }
}

const countFailures = ({ failures }: Counts) => failures
const countSilent = ({ silent }: Counts) => silent
const countBoth = ({ failures, silent }: Counts) => failures + silent

interface Share {
  readonly hits: number
  readonly of: number
}

/** Devices without the version cannot fail. Silent ones may have it. */
const findShareAtRisk = ({ installed, silent, devices }: Counts) =>
  Math.min(1, (installed + silent) / Math.max(1, devices))

/** One more than there were: a small group without a failure says little. */
const estimate = ({ hits, of }: Share) => (hits + 1) / (of + 1)

/**
 * The ratio for the rates on top of what the control group shows, and smaller the less that is known. The bad rate is taken
 * between the middle of both and so many times the good one as it is larger, where the counts are: the point itself needs more
 * failures than a bad version has on a tenth of a fleet. With the usual rates, a halt takes four failures.
 */
function compare(
  reached: Counts,
  control: Counts,
  countHits: (counts: Counts) => number,
  { goodRate, badRate }: Rates,
): number {
  const [hits, of] = [countHits(reached), reached.devices]
  const shareAtRisk = findShareAtRisk(reached)
  const base = estimate({ hits: countHits(control), of: control.devices })
  const good = base + goodRate * shareAtRisk
  const least = base + ((goodRate + badRate) / 2) * shareAtRisk
  const most = Math.min((good * badRate) / goodRate, 0.99)
  if (of === 0 || least >= most) return 0
  const bad = Math.min(Math.max(hits / of, least), most)
  const ratio = hits * Math.log(bad / good) + (of - hits) * Math.log((1 - bad) / (1 - good))
  const variance = getVariance((good + bad) / 2, of)
  return (ratio * variance) / (variance + getVariance(base, control.devices + 1))
}

const getVariance = (share: number, of: number) => (share * (1 - share)) / of
