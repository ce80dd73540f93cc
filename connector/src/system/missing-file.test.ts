/** A file that is not there, and one that cannot be read. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { findStats, isPresent } from './missing-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardwire-missing-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'file'), '')
symlinkSync('loop', join(folder, 'loop'))
symlinkSync('nothing', join(folder, 'dangling'))

test.each([
  ['file', true],
  ['nothing', false],
  ['dangling', false],
])('%s is present: %s', async (name, expected) => {
  expect(isPresent(join(folder, name))).toBe(expected)
  expect((await findStats(join(folder, name))) !== undefined).toBe(expected)
})

test.each([
  ['loop', 'ELOOP'],
  // A file stands where a folder should be.
  ['file/below', 'ENOTDIR'],
])('%s is neither present nor missing: %s', async (name, code) => {
  proves('data-file-damaged')
  expect(() => isPresent(join(folder, name))).toThrow(code)
  await expect(findStats(join(folder, name))).rejects.toThrow(code)
})
