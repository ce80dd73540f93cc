/** The versions as devices see them before and after a change: rollouts show some devices others. */
import { applyRollouts, listReachedBy, type RolloutPlan } from './rollout.ts'

/** What the devices see that the same rollouts reach. */
export interface View<R> {
  readonly before: readonly R[]
  readonly after: readonly R[]
}

interface Registered<R> {
  readonly releases: readonly R[]
  readonly rollouts: readonly RolloutPlan[]
}

/** First that of the devices that no rollout reaches. */
export const createViews = <R extends Parameters<typeof applyRollouts>[0][number]>(
  before: Registered<R>,
  after: Registered<R>,
): readonly View<R>[] => {
  const known = new Map([...after.rollouts, ...before.rollouts].map((plan) => [plan.id, plan]))
  return listReachedBy([...known.values()]).map((reachedBy) => ({
    before: applyRollouts(before.releases, before.rollouts, reachedBy),
    after: applyRollouts(after.releases, after.rollouts, reachedBy),
  }))
}
