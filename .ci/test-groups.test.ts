/** Checks that each path of a test group exists: a file under a wrong path would run beside all others, or last. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../test/bed/repository.ts'
import { longestFiles } from './longest-first.ts'
import { testGroups } from './test-groups.ts'

const paths = testGroups.flatMap(({ node, bun }) => [...node, ...bun])

test.each([...paths, ...longestFiles])('%s exists', (path) => {
  expect(existsSync(join(root, path))).toBe(true)
})
