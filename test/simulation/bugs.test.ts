/** Each invariant, broken on purpose: a simulation that does not see these bugs would see no others. */
import { expect, test } from 'vitest'
import { isWholeRun } from '../bed/amounts.ts'
import { type Bug, type BugFacts, bugs } from './bugs.ts'
import { type Invariant, invariants } from './report.ts'
import { runSeed } from './run-seed.ts'

/** A bug shows only where the faults that it needs come together. */
const maxSeeds = 20
const machines = 30
/** Each of these takes its whole time: there is nothing to see. */
const seedsWithOneNode = 5

const nodesOf = (bug: Bug): number | undefined => {
  const { nodes }: BugFacts = bugs[bug]
  return nodes
}

async function findViolation(
  bug: Bug,
  { nodes = nodesOf(bug), seeds = maxSeeds } = {},
): Promise<string | undefined> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { violation } = await runSeed(seed, { bug, machines, nodes })
    if (violation) return violation.invariant
  }
  return undefined
}

if (isWholeRun())
  test.each(Object.entries(bugs))('%s is seen', async (bug, { detectedBy }) => {
    const expected: readonly (string | undefined)[] = detectedBy
    expect(expected).toContain(await findViolation(bug as Bug))
  })

if (isWholeRun())
  test.each(Object.keys(bugs).filter((bug) => nodesOf(bug as Bug)))(
    '%s is not seen with one node',
    async (bug) => {
      expect(await findViolation(bug as Bug, { nodes: 1, seeds: seedsWithOneNode })).toBeUndefined()
    },
  )

test('each invariant is the first to see a bug', () => {
  const detected = new Set<Invariant>(
    Object.values(bugs).flatMap(({ detectedBy }) => detectedBy[0]),
  )
  expect([...detected].toSorted()).toEqual([...invariants].toSorted())
})
