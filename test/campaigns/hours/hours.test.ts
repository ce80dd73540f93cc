/** One hour of the campaign, and each of its invariants with a fault that it has to notice. */
import { expect, test } from 'vitest'
import { isWholeRun } from '../../bed/amounts.ts'
import { type FaultName, faults } from './faults.ts'
import { runHours } from './hours.ts'
import { invariants } from './results.ts'

const short = { hours: 1, seed: 1, machines: 10, visitsPerHour: 420 }
/** A rotation and midnight lie in it. */
const shorter = { hours: 0.75, seed: 1, machines: 4, visitsPerHour: 160 }

test('an hour of tokens, synchronizations and rotations keeps every invariant', async () => {
  expect((await runHours(short)).violations()).toEqual([])
})

test('less than an hour keeps every invariant', async () => {
  expect((await runHours(shorter)).violations()).toEqual([])
})

if (isWholeRun())
  test.each(Object.keys(faults) as FaultName[])('is reported when %s', async (fault) => {
    const results = await runHours({ ...shorter, fault })
    const broken = results.violations().map((line) => line.split(':', 1)[0])
    expect(broken).toContain(faults[fault].invariant)
  })

test('each invariant has a fault that breaks it', () => {
  const broken = new Set(Object.values(faults).map(({ invariant }) => invariant))
  expect([...broken].toSorted()).toEqual([...invariants].toSorted())
})
