/** Checks that each path of a test group exists: a file under a wrong path would run beside all others. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../test/bed/repository.ts'
import { testGroups } from './test-groups.ts'

test.each(testGroups.flatMap(({ node, bun }) => [...node, ...bun]))('%s exists', (path) => {
  expect(existsSync(join(root, path))).toBe(true)
})
