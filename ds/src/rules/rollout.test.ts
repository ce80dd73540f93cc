/** Which devices a rollout reaches, and which versions each of them sees. */
import { expect, test } from 'vitest'
import { applyRollouts, findArm, getShare, type RolloutPlan, toPercentile } from './rollout.ts'

const rollout: RolloutPlan = {
  ...{ id: 'spring', versionId: '2.0.0', flag: 'recommended', state: 'running', stage: 1 },
  stages: [1, 10, 100].map((share) => ({ share, holdS: 172_800 })),
}
const release = (id: string, changes: object = {}) => ({
  ...{ id, recommended: false, mandatory: false, allowed: true },
  ...changes,
})
const releases = [release('1.0.0', { recommended: true }), release('2.0.0')]
const reached = new Set(['spring'])

test.each([
  { sha256: `00000000${'f'.repeat(56)}`, percentile: 0 },
  { sha256: `40000000${'0'.repeat(56)}`, percentile: 25 },
  { sha256: `c0000000${'0'.repeat(56)}`, percentile: 75 },
  { sha256: 'f'.repeat(64), percentile: 99.999_999_976_716_94 },
])('toPercentile of $sha256 is $percentile', ({ sha256, percentile }) => {
  expect(toPercentile(sha256)).toBe(percentile)
})

test.each([
  { percentile: 0, arms: [undefined, 'reached', 'reached', 'reached', 'reached'] },
  { percentile: 0.99, arms: [undefined, 'reached', 'reached', 'reached', 'reached'] },
  { percentile: 1, arms: [undefined, undefined, 'reached', 'reached', 'reached'] },
  { percentile: 9.99, arms: [undefined, undefined, 'reached', 'reached', 'reached'] },
  { percentile: 10, arms: [undefined, undefined, undefined, 'reached', 'reached'] },
  { percentile: 49.99, arms: [undefined, undefined, undefined, 'reached', 'reached'] },
  { percentile: 50, arms: ['control', 'control', 'control', 'reached', 'reached'] },
  { percentile: 59.99, arms: ['control', 'control', 'control', 'reached', 'reached'] },
  { percentile: 60, arms: ['control', 'control', 'control', 'control', 'reached'] },
  { percentile: 99.99, arms: ['control', 'control', 'control', 'control', 'reached'] },
])(
  'raising the share from 0 to 1, 10, 60 and 100 keeps a device at $percentile in, and never in both groups',
  ({ percentile, arms }) => {
    expect([0, 1, 10, 60, 100].map((share) => findArm(percentile, share))).toEqual(arms)
  },
)

test.each([
  { state: 'draft', share: 0 },
  { state: 'running', share: 10 },
  { state: 'paused', share: 10 },
  { state: 'halted', share: 0 },
  { state: 'finished', share: 0 },
] as const)(
  'a rollout that is $state in the stage of ten percent reaches $share',
  ({ state, share }) => {
    expect(getShare({ ...rollout, state })).toBe(share)
  },
)

test.each([
  { stage: 0, shares: [0, 20, 0, 20] },
  { stage: 1, shares: [0, 100, 0, 100] },
  { stage: 2, shares: [0, 100, 50, 100] },
  { stage: 3, shares: [10, 100, 50, 100] },
  { stage: 4, shares: [100, 100, 100, 100] },
])('in stage $stage, groups that were reached stay so', ({ stage, shares }) => {
  const plans = [
    { share: 20, group: 'desks' },
    { share: 100, group: 'desks' },
    { share: 50, group: 'berlin' },
    ...[{ share: 10 }, { share: 100 }],
  ].map((each) => ({ ...each, holdS: 60 }))
  const groups = [[], ['desks'], ['berlin'], ['berlin', 'desks']]
  expect(groups.map((own) => getShare({ ...rollout, stages: plans, stage }, own))).toEqual(shares)
})

test('without rollouts, devices see the very same versions', () => {
  expect(applyRollouts(releases, [], reached)).toBe(releases)
  expect(applyRollouts(releases, [{ ...rollout, state: 'finished' }], reached)).toBe(releases)
})

test('a device that is reached sees the version with the flag of the rollout, every other device does not see it', () => {
  const [first] = releases
  expect(applyRollouts(releases, [rollout], reached)).toEqual([
    first,
    release('2.0.0', { recommended: true, isRolledOut: true }),
  ])
  expect(applyRollouts(releases, [{ ...rollout, flag: 'mandatory' }], reached)).toEqual([
    first,
    release('2.0.0', { mandatory: true, isRolledOut: true }),
  ])
  expect(applyRollouts(releases, [rollout])).toEqual([first])
  expect(applyRollouts(releases, [rollout], new Set(['autumn']))).toEqual([first])
})

test.each([
  { state: 'draft', offered: false },
  { state: 'paused', offered: true },
  { state: 'halted', offered: false },
] as const)(
  'a rollout that is $state: its devices are offered the version: $offered',
  ({ state, offered }) => {
    const seen = applyRollouts(releases, [{ ...rollout, state }], reached)
    expect(seen.map(({ id }) => id)).toEqual(offered ? ['1.0.0', '2.0.0'] : ['1.0.0'])
  },
)

test('a version that is not allowed stays in the list for every device, without the flag', () => {
  const blocked = [releases[0] ?? release('1.0.0'), release('2.0.0', { allowed: false })]
  expect(applyRollouts(blocked, [rollout], reached)).toEqual(blocked)
  expect(applyRollouts(blocked, [{ ...rollout, state: 'halted' }])).toEqual(blocked)
})
