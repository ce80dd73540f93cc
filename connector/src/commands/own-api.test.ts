/** Whether a connector of this user runs, by its lock. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { tryLockFile } from '../system/single-instance.ts'
import { isLocked, lockFileName } from './own-api.ts'

let runtime: string
beforeEach(() => {
  runtime = mkdtempSync(join(tmpdir(), 'cardwire-lock-'))
})
afterEach(() => rmSync(runtime, { recursive: true, force: true }))

test('a connector runs while it holds its lock, and none without a folder or a lock', () => {
  expect([isLocked(join(runtime, 'missing')), isLocked(runtime)]).toEqual([false, false])
  const release = tryLockFile(runtime, lockFileName)
  expect(isLocked(runtime)).toBe(true)
  release?.()
  expect(isLocked(runtime)).toBe(false)
})

test('a lock that cannot be read does not say that no connector runs', () => {
  proves('lock-unread')
  mkdirSync(join(runtime, lockFileName))
  expect(() => isLocked(runtime)).toThrow('EISDIR')
})
