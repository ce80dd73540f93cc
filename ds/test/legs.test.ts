/** The table of suites and legs: every suite is in it, and nothing else. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { connectorRunsOn, describeLeftOut, runsOn, suites } from '../../test/bed/legs.ts'

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
  ['workerd with PostgreSQL', 'races', {}, true],
  ['workerd with PostgreSQL', 'downloads', {}, false],
] as const)('%s runs the suite of %s, with %o: %s', (leg, suite, environment, expected) => {
  expect(runsOn(leg, suite, environment)).toBe(expected)
})

test.each([
  ['Node with SQLite', 'policy', {}, true],
  ['workerd with D1', 'policy', {}, false],
  ['workerd with D1', 'policy', { TEST_ALL: 'yes' }, true],
  ['workerd with D1', 'registration', {}, true],
] as const)(
  '%s runs the connector’s suite of %s, with %o: %s',
  (leg, suite, environment, expected) => {
    expect(connectorRunsOn(leg, suite, environment)).toBe(expected)
  },
)

test('what is left out is said with its counts, and nothing where all runs', () => {
  expect(describeLeftOut({})).toMatch(
    /^Left out, of \d+ suites of the service: \d+ on Deno with SQLite, .*; npm run test:all runs everything\.$/,
  )
  expect(describeLeftOut({ TEST_ALL: 'yes' })).toBeUndefined()
})
