/** The rules of the service that the campaign runs; a test replaces one to plant a fault. */
import { applyRollouts, findArm, getShare, toPercentile } from '../../../ds/src/rules/rollout.ts'
import { isFresh, isSilent, observe } from '../../../ds/src/rules/rollout-progress.ts'
import { decideStep } from '../../../ds/src/rules/rollout-step.ts'
import { testRollout } from '../../../ds/src/rules/sequential-test.ts'

export const rules = {
  ...{ applyRollouts, decideStep, findArm, getShare, isFresh, isSilent, observe, testRollout },
  toPercentile,
}
export type Rules = typeof rules
