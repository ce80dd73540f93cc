/** The lock of a folder: one process holds it, and its end releases it. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { tryLockFile } from './single-instance.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const source = JSON.stringify(new URL('./single-instance.ts', import.meta.url).href)
/** Locks in a process of its own, which says whether it holds the lock and then stays. */
async function lockElsewhere() {
  const script = `
    const { tryLockFile } = await import(${source})
    globalThis.held = tryLockFile(${JSON.stringify(folder)}, 'connector.lock')
    process.stdout.write(String(held !== undefined))
    setInterval(() => undefined, 1000)
  `
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  const { value } = await child.stdout.getReader().read()
  return { child, holds: Buffer.from(value ?? []).toString() === 'true' }
}

test('tryLockFile is refused while another process holds the lock, and not after kill -9', async () => {
  proves('started-twice')
  const { child, holds } = await lockElsewhere()
  expect(holds).toBe(true)
  expect(tryLockFile(folder, 'connector.lock')).toBeUndefined()
  child.kill('SIGKILL')
  await child.exited
  const release = tryLockFile(folder, 'connector.lock')
  expect(release).toBeDefined()
  expect(statSync(join(folder, 'connector.lock'))).toMatchObject({ size: 0 })
  release?.()
})

test('tryLockFile of several processes at once gives the lock to one', async () => {
  proves('started-twice')
  const started = await Promise.all(Array.from({ length: 5 }, lockElsewhere))
  expect(started.filter(({ holds }) => holds)).toHaveLength(1)
  for (const { child } of started) child.kill('SIGKILL')
})

test('tryLockFile gives the lock again after it was released', () => {
  tryLockFile(folder, 'connector.lock')?.()
  const release = tryLockFile(folder, 'connector.lock')
  expect(release).toBeDefined()
  release?.()
})
