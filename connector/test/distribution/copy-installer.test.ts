/** The copy of an installer that root verifies and installs. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { copyInstaller } from '../../src/distribution/update/copy-installer.ts'

let folder: string
let [from, to] = ['', '']
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-copy-'))
  ;[from, to] = [join(folder, 'from'), join(folder, 'to')]
})
afterEach(() => rmSync(folder, { recursive: true }))

test('copyInstaller gives the digest of what it wrote, which only its owner can change', async () => {
  proves('installer-swapped')
  const content = Buffer.alloc(3 * 1024 ** 2 + 1, 'installer')
  writeFileSync(from, content)
  chmodSync(from, 0o666)
  const { sha256, firstBytes } = await copyInstaller(from, to)
  const copy = readFileSync(to)
  expect(sha256).toBe(createHash('sha256').update(copy).digest('hex'))
  expect([copy.equals(content), content.indexOf(firstBytes)]).toEqual([true, 0])
  expect(statSync(to).mode & 0o022).toBe(0)
})

test('copyInstaller follows no link', async () => {
  proves('installer-swapped')
  writeFileSync(join(folder, 'target'), 'installer')
  symlinkSync('target', from)
  await expect(copyInstaller(from, to)).rejects.toThrow('ELOOP')
})

test.runIf(process.platform !== 'win32')('copyInstaller reads only a file', async () => {
  proves('installer-swapped')
  execFileSync('mkfifo', [from])
  await expect(copyInstaller(from, to)).rejects.toThrow('is not a file')
})

test('copyInstaller replaces nothing', async () => {
  proves('installer-swapped')
  writeFileSync(from, 'installer')
  symlinkSync('elsewhere', to)
  await expect(copyInstaller(from, to)).rejects.toThrow('EEXIST')
})
