/** A device that gets something else by a change is counted, whatever rollouts reach it. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createRandom, type SeededRandom } from '../../../test/bed/random.ts'
import { findAffectedDevices } from './affected-devices.ts'
import { applyRollouts, type RolloutPlan } from './rollout.ts'
import { decideVerdict } from './verdict.ts'
import { createViews } from './views.ts'

const ids = ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0']
const systems = [['UNIX', 'WIN64'], ['UNIX'], []] as const

function createRelease(id: string, random: SeededRandom) {
  const flags = ['recommended', 'mandatory', 'none', 'none'] as const
  const flag = random.pick(flags)
  return {
    ...{ id, recommended: flag === 'recommended', mandatory: flag === 'mandatory' },
    allowed: random.chance(0.8),
    uris: random.pick(systems).map((os) => ({ os })),
  }
}

const createRollout = (versionId: string, random: SeededRandom): RolloutPlan => ({
  ...{ id: `rollout of ${versionId}`, versionId, stage: 0, stages: [{ share: 50, holdS: 3600 }] },
  flag: random.pick(['recommended', 'mandatory'] as const),
  state: random.pick(['running', 'running', 'draft', 'halted'] as const),
})

const groups = ids.slice(0, 4).flatMap((version) =>
  (['UNIX', 'WIN64'] as const).map((platform, index) => ({
    ...{ version, platform, count: index + 1 },
  })),
)

/** Each set of rollouts, made without the code that is tested. */
const combine = (plans: readonly RolloutPlan[]) =>
  Array.from(
    { length: 2 ** plans.length },
    (_, bits) => new Set(plans.filter((_, at) => bits & (1 << at)).map(({ id }) => id)),
  )

test('of 1,000 changes with up to three rollouts, each counts at least the devices that get another verdict or version', () => {
  proves('one-administrator', 'affected-by-version')
  let [counted, several] = [0, 0]
  for (let seed = 1; seed <= 1000; seed += 1) {
    const random = createRandom(seed)
    const releases = ids.map((id) => createRelease(id, random))
    const rollouts = ids
      .filter(() => random.chance(0.3))
      .slice(0, 3)
      .map((id) => createRollout(id, random))
    const changed = random.integer(0, releases.length - 1)
    const after = releases.flatMap((release, at) =>
      at !== changed ? [release] : random.chance(0.2) ? [] : [createRelease(release.id, random)],
    )
    const views = createViews({ releases, rollouts }, { releases: after, rollouts })
    const found = findAffectedDevices(groups, views, () => false)
    const affected = groups.filter(({ version, platform }) =>
      combine(rollouts).some((reachedBy) => {
        const [old, next] = [releases, after].map((all) =>
          decideVerdict(version, platform, applyRollouts(all, rollouts, reachedBy)),
        )
        return old?.action !== next?.action || old?.target?.id !== next?.target?.id
      }),
    )
    const reach = affected.reduce((sum, { count }) => sum + count, 0)
    expect([seed, found.reach >= reach]).toEqual([seed, true])
    counted += reach
    several += views.length > 1 ? 1 : 0
  }
  // Enough of them change something, and have a rollout that reaches devices.
  expect(counted).toBeGreaterThan(2000)
  expect(several).toBeGreaterThan(400)
})

test('six rollouts at once are looked at in eight combinations: none, each and all', () => {
  const rollouts = ['2', '3', '4', '5', '6', '7'].map((major) => ({
    ...createRollout(`${major}.0.0`, createRandom(1)),
    state: 'paused' as const,
  }))
  const releases = rollouts.map(({ versionId }) => createRelease(versionId, createRandom(2)))
  expect(createViews({ releases, rollouts }, { releases, rollouts })).toHaveLength(8)
})
