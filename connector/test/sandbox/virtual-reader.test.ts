/** The reader that exists in a file, as the supervisor of sandboxes sees it. */
import { execFileSync } from 'node:child_process'
import { chownSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { Readers, Snapshot } from '../../src/sandbox/readers/readers.ts'
import { superviseReaders } from '../../src/sandbox/readers/sandbox-supervisor.ts'
import { waitForReaders } from '../../src/sandbox/readers/wait-for.ts'
import { readLines } from '../../src/system/ipc/read-lines.ts'

const sandboxMain = fileURLToPath(new URL('../../src/sandbox/main.ts', import.meta.url))
const atr = '3B951381018073FF01000B'
let folder: string
let file: string
let readers: Readers

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-virtual-'))
  file = join(folder, 'card')
  readers = supervised(file)
})
afterEach(async () => {
  await readers.stop()
  await rm(folder, { recursive: true, force: true })
})

const supervised = (path: string) =>
  superviseReaders({
    command: [process.execPath, sandboxMain],
    log: { warn: () => undefined, error: () => undefined },
    env: { ...process.env, CARDWIRE_VIRTUAL_READER: path },
  })

const card = ({ readers: [reader] }: Snapshot) => reader?.card?.atr
const comes = (holds: (snapshot: Snapshot) => boolean) =>
  waitForReaders(readers, (snapshot) => holds(snapshot) || undefined, 10_000)

test('reader in a file: is there without a card, and is no pin pad', async () => {
  await comes(({ readers: [reader] }) => reader !== undefined)
  expect(readers.snapshot()).toMatchObject({
    pcsc: { kind: 'up' },
    readers: [{ name: 'Cardwire Virtual Reader', pinpad: false }],
  })
  expect(card(readers.snapshot())).toBeUndefined()
})

test('reader in a file: has a card while the file holds its ATR, however that is written', async () => {
  proves('virtual-reader-file')
  await writeFile(file, '3b 95 13 81 01 80 73 ff 01 00 0b\n')
  expect(await comes((snapshot) => card(snapshot) === atr)).toBe(true)
  await rm(file)
  expect(
    await comes(({ readers: [reader] }) => reader !== undefined && reader.card === undefined),
  ).toBe(true)
})

test('reader in a file: a card that is overwritten in place is the new one, each time', async () => {
  proves('virtual-reader-file')
  for (let n = 10; n < 30; n += 1) {
    // Opened for writing it is empty first.
    writeFileSync(file, `3B0000${n}`)
    expect(await comes((snapshot) => card(snapshot) === `3B0000${n}`)).toBe(true)
  }
})

test('reader in a file: text that is no ATR is no card', async () => {
  proves('virtual-card-file-read')
  await writeFile(file, atr)
  await comes((snapshot) => card(snapshot) === atr)
  await writeFile(file, 'a card of paper')
  expect(
    await comes(({ readers: [reader] }) => reader !== undefined && reader.card === undefined),
  ).toBe(true)
})

test.each<[string, () => unknown]>([
  [
    'is a FIFO',
    () => {
      execFileSync('mkfifo', [file])
      // Each change of the folder is a look at the file: more than there are threads for files.
      for (let n = 0; n < 20; n += 1) {
        utimesSync(file, n, n)
        writeFileSync(join(folder, 'other'), '')
      }
    },
  ],
  [
    'has three gigabytes',
    () => {
      writeFileSync(file, '')
      truncateSync(file, 3e9)
    },
  ],
  ['is one byte longer than 1024', () => writeFileSync(file, atr.padEnd(1025))],
  ['is a device', () => symlinkSync('/dev/zero', file)],
  [
    'belongs to another account',
    () => {
      writeFileSync(file, atr)
      chownSync(file, 65_534, 65_534)
    },
  ],
])('reader in a file: a file that %s is no card, and the reader goes on', async (_, make) => {
  proves('virtual-card-file-endless')
  make()
  await comes(({ readers: [reader] }) => reader !== undefined)
  expect(card(readers.snapshot())).toBeUndefined()
  await rm(file)
  await writeFile(file, atr)
  expect(await comes((snapshot) => card(snapshot) === atr)).toBe(true)
})

test('reader in a file: text that is no ATR is warned of once for each change of the file', async () => {
  const sandbox = Bun.spawn([process.execPath, sandboxMain], {
    env: { ...process.env, CARDWIRE_VIRTUAL_READER: file },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const sights = readLines(sandbox.stdout)
  /** What it sees after this was written: a card comes and goes between two texts. */
  const write = async (text: string) => {
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
  }
  await sights.next()
  for (const text of ['zz', '3B9']) {
    await write(atr)
    await sights.next()
    await write(text)
    await sights.next()
    // Touched, and the same.
    await write(text)
  }
  await write(atr)
  await sights.next()
  await sandbox.stdin.end()
  const lines = (await new Response(sandbox.stderr).text()).trim().split('\n')
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line).toContain(`"${file}" holds no ATR; expected 2 to 33 bytes in hexadecimal`)
  }
})

test('reader in a file: a missing folder is reported with the reason', async () => {
  const lost = supervised(join(folder, 'nowhere', 'card'))
  await waitForReaders(
    lost,
    ({ pcsc }) => (pcsc.kind === 'down' && pcsc.reason.includes('virtual')) || undefined,
    10_000,
  )
  expect(lost.snapshot()).toMatchObject({ pcsc: { kind: 'down' }, readers: [] })
  await lost.stop()
})
