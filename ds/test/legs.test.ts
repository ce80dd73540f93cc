/** The table of suites and legs: every suite is in it, and nothing else. */
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  describeLeftOut,
  firefoxRuns,
  getLeftOutFiles,
  runsOn,
  suites,
} from '../../test/bed/legs.ts'

test('every suite of the service is in the table of legs', () => {
  const files = readdirSync(fileURLToPath(new URL('suites', import.meta.url)))
  const names = files.map((file) => file.replace('.suite.ts', ''))
  // The suite of the service declares all others.
  expect([...Object.keys(suites), 'service'].toSorted()).toEqual(names.toSorted())
})

test.each([
  ['Node with SQLite', 'versions', {}, true],
  ['Deno with SQLite', 'versions', {}, false],
  ['Deno with SQLite', 'versions', { TEST_ALL: 'yes' }, true],
  ['Deno with SQLite', 'races', {}, true],
  ['workerd with D1', 'stamping', {}, true],
  ['Node with PostgreSQL', 'slow-peers', {}, false],
  ['Node with PostgreSQL', 'races', {}, true],
  ['workerd with PostgreSQL', 'races', {}, false],
  ['workerd with PostgreSQL', 'races', { TEST_ALL: 'yes' }, true],
] as const)('%s runs the suite of %s, with %o: %s', (leg, suite, environment, expected) => {
  expect(runsOn(leg, suite, environment)).toBe(expected)
})

test.each([
  ['permission', {}, true],
  ['two users', {}, false],
  ['two users', { TEST_ALL: 'yes' }, true],
] as const)('Firefox runs the journey %s, with %o: %s', (journey, environment, expected) => {
  expect(firefoxRuns(journey, environment)).toBe(expected)
})

test('each file that npm test does not load exists, and a whole run loads all', () => {
  const files = getLeftOutFiles({})
  expect(files).toContain('ds/test/service-postgres-worker.test.ts')
  const root = fileURLToPath(new URL('../..', import.meta.url))
  expect(files.filter((file) => !existsSync(root + file))).toEqual([])
  expect(getLeftOutFiles({ TEST_ALL: 'yes' })).toEqual([])
})

test('what is left out is said with its counts, and nothing where all runs', () => {
  expect(describeLeftOut({})).toMatch(
    /^Left out, of \d+ suites of the service: \d+ on Deno with SQLite, .* 52 on workerd with PostgreSQL; .* journeys in Firefox: .*watch; .* admin console in Firefox\. .*; npm run test:all runs everything\.$/,
  )
  expect(describeLeftOut({ TEST_ALL: 'yes' })).toBeUndefined()
})
