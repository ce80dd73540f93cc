/** The lock of a folder, with files of this process: other processes are in `connector/test/certs/processes.test.ts`. */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { lockTimes, withFolderLock } from './folder-lock.ts'

const times = { maxWaitMs: 300, touchMs: 5, staleMs: 60_000, untouchedMs: 100 }
const hourAgo = new Date(Date.now() - 3_600_000)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Tries to get the lock while another one has it, and the clock jumps by an hour. */
async function compete(holder: typeof times, other: typeof times): Promise<string> {
  return withFolderLock(
    folder,
    async () => {
      const [name = ''] = readdirSync(folder)
      utimesSync(join(folder, name), hourAgo, hourAgo)
      return withFolderLock(folder, async () => 'both', other).catch(String)
    },
    holder,
  )
}

test('a clock that jumps takes the lock from no process', async () => {
  proves('lock-outlived')
  const held = `Error: Cannot lock "${folder}": process ${process.pid} has held it for 0.3 s`
  expect(await compete({ ...times, touchMs: 60_000 }, { ...times, untouchedMs: 10_000 })).toBe(held)
})

test('a process that works for long keeps the lock', async () => {
  proves('lock-outlived')
  expect(await compete(times, { ...times, staleMs: 0 })).toContain('has held it')
})

test('the lock of a process whose number another one has got is a leftover', async () => {
  const left = join(folder, `.lock-${process.pid}-000000000000`)
  writeFileSync(left, '')
  utimesSync(left, hourAgo, hourAgo)
  expect(await withFolderLock(folder, async () => readdirSync(folder).length, times)).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})

test('who waits sees a leftover, and a holder touches its file before it looks like one', () => {
  expect(lockTimes.touchMs * 3).toBeLessThan(lockTimes.untouchedMs)
  expect(lockTimes.untouchedMs).toBeLessThan(lockTimes.maxWaitMs)
})
