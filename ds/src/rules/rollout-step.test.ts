/** When a rollout goes from stage to stage. */
import { expect, test } from 'vitest'
import { decideStep, type Evidence } from './rollout-step.ts'

const hour = 3_600_000
const rollout = {
  state: 'running',
  stages: [1, 10, 100].map((share) => ({ share, holdS: 172_800 })),
  stage: 1,
} as const
const known: Evidence = {
  ...{ verdict: 'open', stageMs: 48 * hour },
  ...{ planned: 1000, reached: 500, fresh: 50 },
}

test.each<[string, object, Partial<Evidence>, string]>([
  ['has lasted its time', {}, {}, 'next'],
  ['has not lasted its time', {}, { stageMs: 48 * hour - 1 }, 'stay'],
  ['counts as good early', {}, { stageMs: hour, verdict: 'accept' }, 'stay'],
  ['does harm', {}, { stageMs: hour, verdict: 'halt' }, 'halt'],
  ['has reached less than half of its devices', {}, { reached: 499, fresh: 49 }, 'stay'],
  ['has more than a tenth of fresh devices', {}, { fresh: 51 }, 'stay'],
  ['is small, and so is the next', { stage: 0 }, { reached: 0, fresh: 0 }, 'next'],
  ['is in a fleet of nine', {}, { planned: 0.9, reached: 0, fresh: 0 }, 'next'],
  ['is the last', { stage: 2 }, { reached: 10, fresh: 10 }, 'finish'],
  ['is the last, and has not lasted its time', { stage: 2 }, { stageMs: 47 * hour }, 'stay'],
  ['is paused', { state: 'paused' }, {}, 'stay'],
  ['is paused, and does harm', { state: 'paused' }, { verdict: 'halt' }, 'stay'],
  ['is the last and paused', { state: 'paused', stage: 2 }, {}, 'stay'],
  ['is halted', { state: 'halted' }, {}, 'stay'],
  ['is a draft', { state: 'draft', stage: 0 }, {}, 'stay'],
])('a stage that %s', (_, changes, evidence, step) => {
  expect(decideStep({ ...rollout, ...changes }, { ...known, ...evidence })).toBe(step)
})
