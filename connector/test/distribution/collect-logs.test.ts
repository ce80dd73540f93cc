/** The logs that are uploaded to the service: the newest, and never more than it accepts. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { collectLogs } from '../../src/distribution/sync/collect-logs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-logs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** `minutes`: how long ago it was written. */
function writeLog(name: string, text: string, minutes: number): void {
  writeFileSync(join(folder, name), text)
  const at = Date.now() / 1000 - 60 * minutes
  utimesSync(join(folder, name), at, at)
}

const collectText = async () => gunzipSync(await collectLogs(folder)).toString()

test('collectLogs packs the logs of every role, oldest first, and no other files', async () => {
  writeLog('api.log', 'now', 0)
  writeLog('api.log.1', 'before', 60)
  writeLog('registry.log', 'between', 30)
  writeLog('notes.txt', 'private', 0)
  expect(await collectText()).toBe(
    '== api.log.1 ==\nbefore\n== registry.log ==\nbetween\n== api.log ==\nnow\n',
  )
})

test('collectLogs packs the newest lines when there are more than the service accepts', async () => {
  // Does not shrink: three quarters of it are left.
  writeLog('api.log.1', randomBytes(3_000_000).toString('base64'), 60)
  writeLog('api.log', `${randomBytes(2_000_000).toString('base64')}the last line`, 0)
  const packed = await collectLogs(folder)
  expect(packed.length).toBeLessThanOrEqual(1024 * 1024)
  expect(packed.length).toBeGreaterThan(200_000)
  expect(gunzipSync(packed).toString()).toMatch(/the last line\n$/)
})
