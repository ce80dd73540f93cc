/** Restricting a folder: what is closed, what is left alone, and what is reported. */
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openLog } from './log.ts'
import { openPrivateFolder } from './private-folder.ts'
import { requireOwnFolder, requireTrustedFolder, restrictFolder } from './restrict-folder.ts'

let home: string
let folder: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cardwire-restrict-'))
  folder = join(home, 'runtime')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const mode = (path: string) => statSync(path).mode & 0o777
const write = (path: string, bits: number) => {
  writeFileSync(path, '')
  chmodSync(path, bits)
}

test('restrictFolder closes the folder and each file, and reports their former modes', () => {
  proves('private-files-read')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  write(join(folder, 'open'), 0o644)
  write(join(folder, 'private'), 0o600)
  expect(restrictFolder(folder)).toEqual([
    { path: folder, before: '0755' },
    { path: join(folder, 'open'), before: '0644' },
  ])
  expect([folder, join(folder, 'open'), join(folder, 'private')].map(mode)).toEqual([
    ...[0o700, 0o600, 0o600],
  ])
  expect(restrictFolder(folder)).toEqual([])
})

test('restrictFolder follows no link', () => {
  proves('private-files-read')
  mkdirSync(folder, { mode: 0o700 })
  const other = join(home, 'other')
  write(other, 0o644)
  symlinkSync(other, join(folder, 'link'))
  expect(restrictFolder(folder)).toEqual([])
  expect(mode(other)).toBe(0o644)
})

test('restrictFolder leaves what another account owns, and modes on Windows', () => {
  mkdirSync(folder)
  write(join(folder, 'open'), 0o644)
  expect(restrictFolder(folder, { platform: 'linux', uid: 4_000_000 })).toEqual([])
  expect(restrictFolder(folder, { platform: 'win32', uid: undefined })).toEqual([])
  expect(mode(join(folder, 'open'))).toBe(0o644)
})

test('openPrivateFolder creates the folder, and logs what was open', () => {
  const warnings: unknown[] = []
  const log = { warn: (_: string, fields: unknown) => void warnings.push(fields), error: () => {} }
  openPrivateFolder(folder, log)
  expect([mode(folder), warnings]).toEqual([0o700, []])
  write(join(folder, 'open'), 0o640)
  openPrivateFolder(folder, log)
  expect(warnings).toEqual([{ path: join(folder, 'open'), before: '0640' }])
})

test('requireOwnFolder accepts a folder of this account, also behind a link of its own, and refuses those of others', () => {
  proves('state-links-planted')
  mkdirSync(folder)
  const link = join(home, 'link')
  symlinkSync(folder, link)
  const uid = process.getuid?.() ?? 0
  for (const path of [folder, link]) {
    expect(() => requireOwnFolder(path, uid)).not.toThrow()
    expect(() => requireOwnFolder(path, uid + 1)).toThrow('belongs to another account')
  }
})

test.runIf(process.getuid?.() === 0)(
  'requireOwnFolder refuses a link of another account, and one of its own to a folder of another account',
  () => {
    proves('state-links-planted')
    const link = join(home, 'link')
    mkdirSync(folder)
    symlinkSync(folder, link)
    lchownSync(link, 1234, 1234)
    expect(() => requireOwnFolder(link, 0)).toThrow('belongs to another account')
    lchownSync(link, 0, 0)
    chownSync(folder, 1234, 1234)
    expect(() => requireOwnFolder(link, 0)).toThrow('belongs to another account')
  },
)

test.runIf(process.getuid?.() === 0)(
  'requireTrustedFolder accepts a folder of root, which requireOwnFolder refuses',
  () => {
    mkdirSync(folder)
    expect(() => requireTrustedFolder(folder, 1234)).not.toThrow()
    expect(() => requireOwnFolder(folder, 1234)).toThrow('belongs to another account')
    chownSync(folder, 1234, 1234)
    expect(() => requireTrustedFolder(folder, 1235)).toThrow('belongs to another account')
  },
)

test.runIf(process.getuid?.() === 0)(
  'an administrator with the folder of a user writes nothing into it',
  () => {
    proves('state-links-planted')
    mkdirSync(folder)
    const precious = join(home, 'precious')
    writeFileSync(precious, 'as it was')
    symlinkSync(precious, join(folder, 'api.log'))
    chownSync(folder, 1234, 1234)
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    openLog(folder, 'api', { level: 'info', console: false }).info('listening')
    const output = write.mock.calls.map(([text]) => String(text)).join('')
    write.mockRestore()
    expect(readFileSync(precious, 'utf8')).toBe('as it was')
    expect(output).toContain('belongs to another account')
    const log = { warn: () => undefined, error: () => undefined }
    expect(() => openPrivateFolder(folder, log)).toThrow('belongs to another account')
  },
)
