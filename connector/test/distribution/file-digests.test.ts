/** The files of an installation against a list of digests. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { checkFileDigests } from '../../src/distribution/policy/file-digests.ts'

let outside: string
let folder: string

beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), 'cardwire-digests-'))
  folder = join(outside, 'installed')
  mkdirSync(join(folder, 'bin/deep'), { recursive: true })
  for (const path of ['bin/cardwire', 'bin/deep/é.txt', '../secret'])
    writeFileSync(join(folder, path), `the file ${path}`)
})
afterAll(() => rmSync(outside, { recursive: true, force: true }))

const md5 = (path: string) => createHash('md5').update(`the file ${path}`).digest('hex')
const sha256 = (path: string) =>
  `sha256:${createHash('sha256').update(`the file ${path}`).digest('hex')}`

test('checkFileDigests finds unchanged files intact, by MD5 and SHA-256, in any case', async () => {
  const files = [
    { path: 'bin/cardwire', digest: md5('bin/cardwire').toUpperCase() },
    { path: 'bin/deep/é.txt', digest: sha256('bin/deep/é.txt') },
  ]
  expect(await checkFileDigests(folder, files)).toEqual({ kind: 'intact' })
  expect(await checkFileDigests(folder, [])).toEqual({ kind: 'intact' })
})

test('checkFileDigests finds changed files, missing files and folders altered', async () => {
  const files = ['bin/cardwire', 'bin/absent', 'bin/deep'].map((path) => ({
    path,
    digest: md5('other'),
  }))
  expect(await checkFileDigests(folder, files)).toEqual({
    kind: 'altered',
    paths: files.map(({ path }) => path),
  })
})

test('checkFileDigests calls no file altered that the system has no descriptor left for', async () => {
  proves('descriptors-exhausted')
  const module = new URL('../../src/distribution/policy/file-digests.ts', import.meta.url)
  const files = [{ path: 'bin/cardwire', digest: md5('bin/cardwire') }]
  const script = `
    import { openSync } from 'node:fs'
    import { checkFileDigests } from ${JSON.stringify(module.href)}
    const check = () => checkFileDigests(${JSON.stringify(folder)}, ${JSON.stringify(files)})
    const before = await check()
    try { for (;;) openSync('/dev/null') } catch {}
    console.log(JSON.stringify([before, await check()]))`
  const child = Bun.spawn(['prlimit', '--nofile=64', process.execPath, '-e', script])
  expect(await new Response(child.stdout).json()).toEqual([
    { kind: 'intact' },
    { kind: 'unchecked', reason: 'the system has no means to read bin/cardwire now' },
  ])
})

test.each([
  '../secret',
  'bin/../../secret',
  '/etc/passwd',
  'C:/windows/notepad.exe',
  'bin\\cardwire',
  'bin//cardwire',
  './bin',
  'bin/\u0000',
  '',
])('checkFileDigests refuses a list with the path %j, and does not read the file', async (path) => {
  proves('service-reads-files')
  const list = [
    { path: 'bin/cardwire', digest: md5('bin/cardwire') },
    { path, digest: md5('../secret') },
  ]
  expect(await checkFileDigests(folder, list)).toMatchObject({ kind: 'unchecked' })
})

test('checkFileDigests refuses a list with an invalid digest', async () => {
  const files = [{ path: 'bin/cardwire', digest: 'sha1:00' }]
  expect(await checkFileDigests(folder, files)).toMatchObject({
    kind: 'unchecked',
    reason: expect.stringContaining('bin/cardwire'),
  })
})

test('checkFileDigests refuses a list of 10,000 files, and checks one of 2,000', async () => {
  proves('service-reads-files')
  const list = (length: number) =>
    Array.from({ length }, () => ({ path: 'bin/cardwire', digest: md5('bin/cardwire') }))
  expect(await checkFileDigests(folder, list(10_000))).toMatchObject({
    kind: 'unchecked',
    reason: expect.stringContaining('10000'),
  })
  expect(await checkFileDigests(folder, list(2000))).toEqual({ kind: 'intact' })
})
