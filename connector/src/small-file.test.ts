/** Reading a small file of another account: what it may be, and what is refused at once. */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { readSmallFile } from './small-file.ts'
import { readFingerprint } from './system/ipc/pinned-tls.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-small-file-'))
  path = join(folder, 'file')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('readSmallFile reads a file up to its limit, behind a link too', async () => {
  writeFileSync(path, 'four')
  symlinkSync(path, join(folder, 'link'))
  expect(await readSmallFile(join(folder, 'link'), 4)).toBe('four')
  await expect(readSmallFile(path, 3)).rejects.toThrow('more than 3 bytes')
})

test.runIf(process.platform === 'linux')(
  'readSmallFile takes nothing out of a FIFO into which a program writes',
  async () => {
    execFileSync('mkfifo', [path])
    // Open in both directions: on Linux that waits for nobody.
    const program = openSync(path, 'r+')
    writeSync(program, 'four')
    await expect(readSmallFile(path, 4)).rejects.toThrow('not a regular file')
    closeSync(program)
  },
)

const intruders: readonly [string, () => unknown][] = [
  ['FIFO', () => execFileSync('mkfifo', [path])],
  ['device', () => symlinkSync('/dev/zero', path)],
  ['folder', () => symlinkSync('/tmp', path)],
  [
    'file of three gigabytes',
    () => {
      writeFileSync(path, '')
      truncateSync(path, 3e9)
    },
  ],
]

test.runIf(process.platform !== 'win32').each(intruders)(
  'a %s in the place of a certificate is none, more often than there are threads for files',
  async (_, make) => {
    proves('registry-exploited')
    make()
    const reads = Array.from({ length: 20 }, () => readFingerprint(path))
    expect(await Promise.all(reads)).toEqual(reads.map(() => undefined))
    await expect(readSmallFile(path, 100)).rejects.toThrow()
  },
)
