/** What several processes, full disks and read-only folders do to the certificates. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { isKeyOf, isSignedBy } from '../../src/pki/certificate.ts'
import { createTemporaryFolder } from './test-certificates.ts'

const program = join(import.meta.dirname, 'certificate-process.ts')

/** Runs a command to its end; resolves with what it printed, line by line. */
function run(command: string, args: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let complaints = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    child.stderr.on('data', (chunk) => (complaints += String(chunk)))
    child.on('error', reject)
    child.on('close', (status) =>
      status === 0 ? resolve(output.trim().split('\n')) : reject(new Error(complaints)),
    )
  })
}

const act = async (folder: string, ...args: string[]) => {
  const [line = ''] = await run(process.execPath, [program, folder, ...args])
  const answer: unknown = JSON.parse(line)
  return answer
}

/** Runs a script with a small file system of its own at $DISK, which nobody else sees and which goes with it. */
async function onDisk(size: string, script: string): Promise<readonly unknown[]> {
  const disk = createTemporaryFolder()
  const setUp = `set -e; mount -t tmpfs -o size=${size} none ${disk}; DISK=${disk}; BUN=${process.execPath}; ACT=${program}`
  const unshared = ['--user', '--map-root-user', '--mount', 'sh', '-c', `${setUp}\n${script}`]
  const lines = await run('unshare', unshared)
  return lines.map((line): unknown => JSON.parse(line))
}

const fingerprintOf = (answer: unknown) => String(Object(answer).fingerprint)

test('First starts at once, in six processes, end with one set of files', async () => {
  proves('simultaneous-first-starts')
  const folder = join(createTemporaryFolder(), 'certificates')
  const answers = await Promise.all(Array.from({ length: 6 }, () => act(folder)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  expect(isKeyOf(read('rootCA-key.pem'), read('rootCA.pem'))).toBe(true)
  expect(isKeyOf(read('localhost-key.pem'), read('localhost.pem'))).toBe(true)
  expect(isSignedBy(read('localhost.pem'), read('rootCA.pem'))).toBe(true)
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
})

test('The lock of a process that died is free', async () => {
  const folder = join(createTemporaryFolder(), 'certificates')
  const [pid = ''] = await run('sh', ['-c', 'echo $$'])
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, `.lock-${pid}-abc`), '')
  expect(await act(folder)).toMatchObject({ root: expect.any(String) })
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
})

test('A full disk at the first start is named, and leaves nothing half done', async () => {
  const [answer, count] = await onDisk(
    '4k',
    '$BUN $ACT $DISK/c; find $DISK/c -type f 2>/dev/null | wc -l',
  )
  expect(answer).toMatchObject({ failure: expect.stringContaining('the disk is full (ENOSPC)') })
  expect(count).toBe(0)
})

test('A full disk at a renewal is named, and the old files stay in force', async () => {
  const [first, renewal, second] = await onDisk(
    '64k',
    '$BUN $ACT $DISK/c; dd if=/dev/zero of=$DISK/fill bs=1k 2>/dev/null || true; $BUN $ACT $DISK/c renew; $BUN $ACT $DISK/c',
  )
  expect(renewal).toMatchObject({
    renewed: false,
    reason: expect.stringContaining('the disk is full (ENOSPC)'),
  })
  expect(second).toEqual(first)
})

test('A full disk when the leaf is stale leaves the old one in force while it holds', async () => {
  const [first, second, third] = await onDisk(
    '64k',
    '$BUN $ACT $DISK/c; dd if=/dev/zero of=$DISK/fill bs=1k 2>/dev/null || true; $BUN $ACT $DISK/c ensure 375; rm $DISK/fill; $BUN $ACT $DISK/c ensure 375',
  )
  expect(second).toEqual(first)
  // With room again it is renewed: it was stale indeed.
  expect(third).toMatchObject({ fingerprint: expect.not.stringMatching(fingerprintOf(first)) })
})

test('A read-only folder is served from, and named when something has to be made', async () => {
  const [first, second, renewal] = await onDisk(
    '64k',
    '$BUN $ACT $DISK/c; mount -o remount,ro $DISK; $BUN $ACT $DISK/c; $BUN $ACT $DISK/c renew',
  )
  expect(second).toEqual(first)
  expect(renewal).toMatchObject({
    renewed: false,
    reason: expect.stringContaining('the file system is read-only (EROFS)'),
  })
})

test('A read-only folder at the first start is named', async () => {
  const [answer] = await onDisk('64k', 'mount -o remount,ro $DISK; $BUN $ACT $DISK/c')
  expect(answer).toMatchObject({ failure: expect.stringContaining('read-only (EROFS)') })
})
