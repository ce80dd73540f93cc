/** A few fleets of the campaign, and faults of the rules that they have to notice. */
import { expect, test } from 'vitest'
import { isWholeRun } from '../../bed/amounts.ts'
import { type Rules, rules } from './rules.ts'
import { type CampaignOptions, names, runScenarios } from './scenarios.ts'

const few: CampaignOptions = { from: 1, seeds: 1, machines: 10_000, releases: names }

/** Which invariants break with these rules. A small fleet shows what is offered beyond a stage. */
const findBroken = (release: string, planted: Partial<Rules>) => {
  const machines = release === 'good' ? 300 : few.machines
  const options = { ...few, machines, releases: [release], rules: { ...rules, ...planted } }
  const { tally } = runScenarios(options)
  return tally.violations().map((line) => line.split(':', 1)[0])
}

test('a good release is rolled out, a bad one is halted, and a paused one stays as it was', () => {
  expect(runScenarios(few).tally.violations()).toEqual([])
})

const none = { devices: 9999, installed: 0, successes: 9999, failures: 0, silent: 0 }

const faults: [string, string, string, Partial<Rules>][] = [
  [
    'the control group is ignored',
    'good, and something else strikes',
    'good-not-halted',
    { testRollout: (groups, rates) => rules.testRollout({ ...groups, control: none }, rates) },
  ],
  [
    'the share is not checked',
    'good',
    'within-its-stage',
    { findArm: (percentile, share) => rules.findArm(percentile, share > 0 ? 100 : 0) },
  ],
  [
    'every device sees the version',
    'good',
    'within-its-stage',
    {
      applyRollouts: (releases, open) => rules.applyRollouts(releases, open, new Set(['rollout'])),
    },
  ],
  [
    'a percentile is half of what it should be',
    'good',
    'within-its-stage',
    { toPercentile: (sha256) => rules.toPercentile(sha256) / 2 },
  ],
  [
    'silence is not counted',
    'bad: never heard from again',
    'bad-halted',
    { isSilent: () => false },
  ],
  [
    'nothing waits for silence',
    'bad: never heard from again',
    'bad-halted',
    { isFresh: () => false },
  ],
  [
    'new faults are not noted',
    'bad: new fault',
    'bad-halted',
    { observe: (before, seen) => rules.observe(before, { ...seen, faults: [] }) },
  ],
  [
    'a pause does not keep the stage',
    'paused, bad',
    'pause-kept',
    { decideStep: (plan, evidence) => rules.decideStep({ ...plan, state: 'running' }, evidence) },
  ],
]

if (isWholeRun())
  test.each(faults)('is reported when %s', (_, release, invariant, planted) => {
    expect(findBroken(release, planted)).toContain(invariant)
  })
