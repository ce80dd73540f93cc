/** The logs that are left with the service: the newest, and never more than it takes. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { collectLogs } from '../../src/sync/logs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-logs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** `minutes`: how long ago it was written. */
function file(name: string, text: string, minutes: number): void {
  writeFileSync(join(folder, name), text)
  const at = Date.now() / 1000 - 60 * minutes
  utimesSync(join(folder, name), at, at)
}

const collected = async () => gunzipSync(await collectLogs(folder)).toString()

test('they are those of every role, oldest first, and no other files', async () => {
  file('api.log', 'now', 0)
  file('api.log.1', 'before', 60)
  file('registry.log', 'between', 30)
  file('notes.txt', 'private', 0)
  expect(await collected()).toBe(
    '== api.log.1 ==\nbefore\n== registry.log ==\nbetween\n== api.log ==\nnow\n',
  )
})

test('of more than the service takes the newest lines are sent', async () => {
  // Does not shrink: three quarters of it are left.
  file('api.log.1', randomBytes(3_000_000).toString('base64'), 60)
  file('api.log', `${randomBytes(2_000_000).toString('base64')}the last line`, 0)
  const packed = await collectLogs(folder)
  expect(packed.length).toBeLessThanOrEqual(1024 * 1024)
  expect(packed.length).toBeGreaterThan(200_000)
  expect(gunzipSync(packed).toString()).toMatch(/the last line\n$/)
})
