/**
 * Whether a rollout does harm: the sequential probability ratio test (A. Wald, Sequential Tests of Statistical Hypotheses, 1945),
 * which can be looked at after each device and still rarely errs.
 */

/** How the devices of a group fare. */
export interface Counts {
  /** All devices of the group. */
  readonly devices: number
  readonly successes: number
  /** New faults, and devices that went back to an earlier version. */
  readonly failures: number
  /** Devices without a failure that have not synced for long, whatever they did before. */
  readonly silent: number
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

/** How often a good version is halted, and a bad one accepted. */
const [falseHalt, falseAccept] = [0.001, 0.05]

export const bounds = {
  halt: Math.log((1 - falseAccept) / falseHalt),
  accept: Math.log(falseAccept / (1 - falseHalt)),
} as const

/** So many standard deviations beyond what is expected, silence is no chance: whole offices are switched off at a time. */
const silenceDeviations = 3

/** What happens to the control group, too, is not the fault of the version. */
export function testRollout(
  reached: Counts,
  control: Counts,
  { goodRate, badRate }: Rates,
): TestResult {
  const failures = reached.failures + countUnexpectedSilence(reached, control)
  const base = control.failures / Math.max(1, control.failures + control.successes)
  const [good, bad] = [goodRate, badRate].map((rate) => Math.min(rate + base, 0.99)) as [
    number,
    number,
  ]
  const { successes } = reached
  const ratio =
    good < bad ? failures * Math.log(bad / good) + successes * Math.log((1 - bad) / (1 - good)) : 0
  const verdict = ratio >= bounds.halt ? 'halt' : ratio <= bounds.accept ? 'accept' : 'open'
  return { ...bounds, ratio, verdict, failures, tested: successes + failures }
}

function countUnexpectedSilence(reached: Counts, control: Counts): number {
  // One more than there are: a small control group without a silent device says little.
  const share = Math.min(1, (control.silent + 1) / (control.devices + 1))
  const expected = reached.devices * share
  const ratioOfSizes = 1 + reached.devices / Math.max(1, control.devices)
  const deviation = Math.sqrt(expected * (1 - share) * ratioOfSizes)
  return Math.max(0, reached.silent - expected - silenceDeviations * deviation)
}
