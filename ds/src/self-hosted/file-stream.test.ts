/** Files that are sent piece by piece, as a stream or straight to a socket. */
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FileStream } from './file-stream.ts'

// Three pieces and a bit, no two bytes in the same place alike.
const content = Uint8Array.from({ length: 900_000 }, (_, at) => (at * 31 + (at >> 8) * 7) % 256)

let folder: string
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-file-stream-'))
  path = join(folder, 'file')
  await writeFile(path, content)
})
afterAll(() => rm(folder, { recursive: true }))

const stream = async (start: number, end: number) => new FileStream(await open(path), start, end)
const cases = [
  [0, content.length - 1],
  [0, 0],
  [100, 700_000],
  [262_143, 262_144],
  [899_999, 899_999],
] as const

test.each(cases)('stream yields the bytes from %i to %i', async (start, end) => {
  const bytes = await new Response(await stream(start, end)).bytes()
  expect(Buffer.compare(bytes, content.subarray(start, end + 1))).toBe(0)
})

test.each(cases)(
  'sendTo passes on the bytes from %i to %i, though its buffers are used again',
  async (start, end) => {
    const pieces: Uint8Array[] = []
    const body = await stream(start, end)
    // Wrapped as a response is before it is sent: nothing may be read ahead.
    const { body: same } = new Response(body)
    await (same as FileStream).sendTo(async (bytes) => {
      await new Promise((turn) => setImmediate(turn))
      pieces.push(bytes.slice())
    })
    expect(Buffer.compare(Buffer.concat(pieces), content.subarray(start, end + 1))).toBe(0)
  },
)

test('sendTo fails, and closes the file, when the write fails', async () => {
  const handle = await open(path)
  const body = new FileStream(handle, 0, content.length - 1)
  await expect(body.sendTo(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(handle.fd).toBe(-1)
})

test('sendTo fails when the file becomes shorter during the read', async () => {
  const short = join(folder, 'short')
  await writeFile(short, content)
  const body = new FileStream(await open(short), 0, content.length - 1)
  await expect(body.sendTo(() => truncate(short, 1000))).rejects.toThrow('became shorter')
})

test.each([
  ['that does not take a byte', 0, 2],
  ['that takes less than 512 KiB in a minute', 4 * 1024, 3],
])('file is closed for a client %s', async (_, bytesPerSecond, minutes) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout'] })
  const handle = await open(path)
  let isClosed = false
  const body = new FileStream(handle, 0, content.length - 1, () => {
    isClosed = true
  })
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve) => {
      if (bytesPerSecond > 0) setTimeout(resolve, (bytes.length / bytesPerSecond) * 1000)
    })
  const sent = expect(body.sendTo(write)).rejects.toThrow('taken too slowly')
  for (let n = 0; n < minutes * 60 && !isClosed; n += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    await new Promise((turn) => setImmediate(turn))
  }
  vi.useRealTimers()
  await sent
  expect([isClosed, handle.fd]).toEqual([true, -1])
})

test('file is closed when nothing reads its stream', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const handle = await open(path)
  const reader = new FileStream(handle, 0, content.length - 1).getReader()
  expect((await reader.read()).done).toBe(false)
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()

  await expect(reader.read()).rejects.toThrow('taken too slowly')
  expect(handle.fd).toBe(-1)
})
