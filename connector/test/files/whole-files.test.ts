/** Files are written whole or not at all, whatever happens in between: swapped folders, a full disk, a killed connector, many files. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maxFileBytes, Problem } from '@cardwire/protocol'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openPartJournal } from '../../src/files/part-journal.ts'
import { createRenameFile } from '../../src/files/rename-file.ts'
import { isPartName } from '../../src/files/whole-files.ts'
import { createTestFolders, type TestFolders } from './temp-folders.ts'

let folders: TestFolders
beforeEach(async () => {
  folders = await createTestFolders()
})
afterEach(() => folders.remove())

const bytes = (size: number) => new Uint8Array(size).fill(7)

test('a file of 50 MiB is written and read, and one byte more is refused', async () => {
  proves('file-limits')
  const { exchange, type, root } = folders
  const file = { type, fileName: 'large.bin' }
  await exchange.write(file, bytes(maxFileBytes))
  expect((await exchange.read(file)).length).toBe(maxFileBytes)
  const larger = { type, fileName: 'larger.bin' }
  const tooLarge = { name: 'file-too-large' }
  await expect(exchange.write(larger, bytes(maxFileBytes + 1))).rejects.toMatchObject(tooLarge)
  writeFileSync(join(root, 'larger.bin'), bytes(maxFileBytes + 1))
  await expect(exchange.read(larger)).rejects.toMatchObject(tooLarge)
  const copy = exchange.copy(larger, { type, fileName: 'copy.bin' })
  await expect(copy).rejects.toMatchObject(tooLarge)
})

test('what is written may not be executed, also where the original may', async () => {
  proves('file-executed')
  const { exchange, type, root } = folders
  const from = { type, fileName: 'tool.txt' }
  writeFileSync(join(root, 'tool.txt'), 'x')
  chmodSync(join(root, 'tool.txt'), 0o755)
  await exchange.write({ type, fileName: 'new.txt' }, bytes(1))
  await exchange.copy(from, { type, fileName: 'copy.txt' })
  for (const name of ['new.txt', 'copy.txt'])
    expect(statSync(join(root, name)).mode & 0o111).toBe(0)
  for (const newName of ['tool.exe', 'tool.desktop']) {
    const to = { type, fileName: newName }
    const acts = [
      () => exchange.move(from, to),
      () => exchange.copy(from, to),
      () => exchange.write(to, bytes(1)),
    ]
    for (const act of acts) await expect(act()).rejects.toMatchObject({ name: 'file-path-refused' })
  }
})

test('10,000 files are listed, and page by page in one order', async () => {
  proves('file-limits')
  const { exchange, type, root } = folders
  for (let at = 0; at < 10_000; at += 1) writeFileSync(join(root, `f${at}.txt`), '')
  const all = await exchange.list({ type })
  expect([all.files.length, all.total]).toEqual([10_000, 10_000])
  const names = all.files.map(({ name }) => name)
  const page = await exchange.list({ type }, { start: 9000, size: 20, sort: 'ASC' })
  expect(page.files.map(({ name }) => name)).toEqual(names.slice(9000, 9020))
  expect(page.total).toBe(10_000)
  const last = await exchange.list({ type }, { start: 0, size: 1, sort: 'DESC' })
  expect(last.files[0]?.name).toBe(names.at(-1))
})

test('two forms of one letter are two names, each found as it was written', async () => {
  const { exchange, type } = folders
  const names = ['caf\u00e9.txt', 'cafe\u0301.txt']
  for (const fileName of names) await exchange.write({ type, fileName }, Buffer.from(fileName))
  for (const fileName of names)
    expect(Buffer.from(await exchange.read({ type, fileName })).toString()).toBe(fileName)
})

test('of ten downloads under one name at once one is there, and the others are told', async () => {
  const { exchange, type, root } = folders
  const file = { type, fileName: 'one.txt' }
  const done = await Promise.allSettled(
    Array.from({ length: 10 }, (_, at) => exchange.write(file, Buffer.from(`content ${at}`))),
  )
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(readFileSync(join(root, 'one.txt'), 'utf8')).toMatch(/^content \d$/)
  expect(readdirSync(root)).toEqual(['one.txt'])
})

test('a rename replaces nothing, also where the system has no such call', async () => {
  proves('file-executed')
  const { root } = folders
  const [from, to] = [join(root, 'from'), join(root, 'to')]
  for (const rename of [createRenameFile(), createRenameFile(() => false)]) {
    writeFileSync(from, 'from')
    writeFileSync(to, 'to')
    await expect(rename(from, to)).rejects.toMatchObject({ name: 'file-taken' })
    expect([readFileSync(from, 'utf8'), readFileSync(to, 'utf8')]).toEqual(['from', 'to'])
    rmSync(to)
    await rename(from, to)
    expect([existsSync(from), readFileSync(to, 'utf8')]).toEqual([false, 'from'])
    rmSync(to)
  }
})

test.runIf(process.platform === 'linux')(
  'while another program swaps a folder for a link, nothing outside is read or written',
  async () => {
    proves('file-link-swapped')
    const { exchange, type, root, outside } = folders
    mkdirSync(join(root, 'a'))
    writeFileSync(join(root, 'a', 'file.txt'), 'inside')
    writeFileSync(join(outside, 'file.txt'), 'outside')
    symlinkSync(outside, join(root, 'link'))
    const swap = [
      "const { existsSync, renameSync, writeFileSync } = require('node:fs')",
      "process.chdir(process.argv.at(-1)); writeFileSync('swapping', '')",
      "while (existsSync('swapping')) for (let n = 0; n < 100; n += 1) {",
      "renameSync('a', 'b'); renameSync('link', 'a'); renameSync('a', 'link'); renameSync('b', 'a') }",
    ].join('\n')
    const swapper = spawn(process.execPath, ['-e', swap, root], { stdio: 'ignore' })
    onTestFinished(() => void swapper.kill('SIGKILL'))
    await expect.poll(() => existsSync(join(root, 'swapping'))).toBe(true)
    const attempts = { done: 0, refused: 0 }
    const attempt = (act: Promise<unknown>) =>
      act.then(
        () => (attempts.done += 1),
        (error) => {
          expect(error).toBeInstanceOf(Problem)
          attempts.refused += 1
        },
      )
    for (let at = 0; at < 400; at += 1) {
      const relPath = ['a']
      await attempt(
        exchange.read({ type, relPath, fileName: 'file.txt' }).then((read) => {
          expect(Buffer.from(read).toString()).toBe('inside')
        }),
      )
      await attempt(exchange.write({ type, relPath, fileName: `w${at}.txt` }, bytes(1)))
      await attempt(exchange.createFolder({ type, relPath: ['a', `d${at}`] }, false))
    }
    rmSync(join(root, 'swapping'))
    await once(swapper, 'exit')
    expect(readdirSync(outside)).toEqual(['file.txt'])
    expect(readFileSync(join(outside, 'file.txt'), 'utf8')).toBe('outside')
    expect(Math.min(attempts.done, attempts.refused)).toBeGreaterThan(0)
  },
)

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('on a small disk', () => {
  let disk: string
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'cardwire-disk-'))
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status).toBe(0)
  })
  afterEach(() => {
    spawnSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true })
  })

  test('a download that does not fit leaves nothing, and a smaller one succeeds', async () => {
    proves('download-interrupted')
    const { exchange, type } = folders
    const small = { ...type, path: disk }
    const large = exchange.write({ type: small, fileName: 'large.txt' }, bytes(2_000_000))
    await expect(large).rejects.toMatchObject({ name: 'disk-full' })
    expect(readdirSync(disk)).toEqual([])
    await exchange.write({ type: small, fileName: 'small.txt' }, bytes(500_000))
    expect(readdirSync(disk)).toEqual(['small.txt'])
  })

  test('a file moves there as a whole, and stays where it is when it does not fit', async () => {
    proves('download-interrupted')
    const { exchange, type, root } = folders
    const there = { ...type, path: disk }
    writeFileSync(join(root, 'large.txt'), bytes(2_000_000))
    writeFileSync(join(root, 'small.txt'), bytes(1000))
    const move = (fileName: string) => exchange.move({ type, fileName }, { type: there, fileName })
    await expect(move('large.txt')).rejects.toMatchObject({ name: 'disk-full' })
    expect(readdirSync(disk)).toEqual([])
    await move('small.txt')
    expect(readdirSync(disk)).toEqual(['small.txt'])
    expect(readdirSync(root)).toEqual(['large.txt'])
  })
})

describe('what a killed connector has left', () => {
  const part = `.cardwire-${'ab'.repeat(12)}.part`
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }

  test('is removed at the next start, and nothing else', () => {
    proves('download-interrupted')
    const { root, outside } = folders
    const runtime = join(outside, 'runtime')
    const journal = openPartJournal(runtime, isPartName, log)
    for (const name of [part, 'kept.txt']) {
      writeFileSync(join(root, name), '')
      journal.add(join(root, name))
    }
    journal.add(join(root, 'gone', part))
    openPartJournal(runtime, isPartName, log)
    expect(readdirSync(root)).toEqual(['kept.txt'])
    expect(readdirSync(join(runtime, 'downloads'))).toEqual([])
    expect(log.warn).not.toHaveBeenCalled()
  })

  test('is seen by no page', async () => {
    const { exchange, type, root } = folders
    writeFileSync(join(root, part), 'half')
    expect((await exchange.list({ type })).files).toEqual([])
    const read = exchange.read({ type, fileName: part })
    await expect(read).rejects.toMatchObject({ name: 'file-path-refused' })
  })
})
