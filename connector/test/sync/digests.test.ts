/** The files of an installation against a list of digests. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkFiles } from '../../src/sync/digests.ts'

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

test('files that are what they were are good, by MD5 and by SHA-256, whatever the case', async () => {
  const files = [
    { path: 'bin/cardwire', digest: md5('bin/cardwire').toUpperCase() },
    { path: 'bin/deep/é.txt', digest: sha256('bin/deep/é.txt') },
  ]
  expect(await checkFiles(folder, files)).toEqual({ kind: 'good' })
  expect(await checkFiles(folder, [])).toEqual({ kind: 'good' })
})

test('files that are others, or not there, or folders, are altered', async () => {
  const files = ['bin/cardwire', 'bin/absent', 'bin/deep'].map((path) => ({
    path,
    digest: md5('other'),
  }))
  expect(await checkFiles(folder, files)).toEqual({
    kind: 'altered',
    paths: files.map(({ path }) => path),
  })
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
])('a list with the path %j is refused, and the file is not read', async (path) => {
  const list = [
    { path: 'bin/cardwire', digest: md5('bin/cardwire') },
    { path, digest: md5('../secret') },
  ]
  expect(await checkFiles(folder, list)).toMatchObject({ kind: 'refused' })
})

test('a list with a digest that is none is refused', async () => {
  const files = [{ path: 'bin/cardwire', digest: 'sha1:00' }]
  expect(await checkFiles(folder, files)).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('bin/cardwire'),
  })
})

test('a list of 10,000 files is refused, and one of 2,000 is checked', async () => {
  const list = (length: number) =>
    Array.from({ length }, () => ({ path: 'bin/cardwire', digest: md5('bin/cardwire') }))
  expect(await checkFiles(folder, list(10_000))).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('10000'),
  })
  expect(await checkFiles(folder, list(2000))).toEqual({ kind: 'good' })
})
