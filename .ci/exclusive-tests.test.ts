/** Checks that each path of the exclusive tests exists: tests of a wrong path would run beside others. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../test/bed/repository.ts'
import { exclusiveTests } from './exclusive-tests.ts'

test.each(exclusiveTests.flatMap(({ node, bun }) => [...node, ...bun]))('%s is there', (path) => {
  expect(existsSync(join(root, path))).toBe(true)
})
