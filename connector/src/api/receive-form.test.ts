/** How many parts a form may have, whatever its type and its borders look like, and how long its fields may be. */
import { heapStats } from 'bun:jsc'
import { expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { receiveForm } from './receive-form.ts'

const type = 'multipart/form-data; boundary=b'
const head = 'Content-Disposition: form-data; name='
const file = `--b\r\n${head}"file"; filename="a.txt"\r\n\r\ntext\r\n`
const createFields = (relPath: string) =>
  Object.entries({ entity: 'shop', type: 'orders', relPath, fileName: 'a.txt' })
    .map(([name, value]) => `--b\r\n${head}"${name}"\r\n\r\n${value}\r\n`)
    .join('')
const fields = createFields('')
const end = '--b--\r\n'

const receive = (body: string, contentType: string) =>
  receiveForm(new Blob([body]).stream(), contentType).catch((error: Error) => error.message)

test.each([type, 'multipart/form-data;boundary=b', 'Multipart/Form-Data; Boundary="b"'])(
  'a form of the type %s is read',
  async (contentType) => {
    expect(await receive(fields + file + end, contentType)).toMatchObject({
      file: new TextEncoder().encode('text'),
    })
  },
)

test.each([
  ['a line', type, 'x\r\n'],
  ['nothing', type, ''],
  ['a character', type, 'x'],
  [
    'a line, and another border in the type',
    'multipart/form-data; xboundary=a; boundary=b',
    '\r\n',
  ],
  [
    'a line, and a second border in the type',
    'multipart/form-data; boundary=b; boundary=c',
    '\r\n',
  ],
  [
    'a line, and another border before theirs in the type',
    'multipart/form-data; boundary=c; boundary=b',
    '\r\n',
  ],
  [
    'a line, and a border in a text of the type',
    'multipart/form-data; x="boundary=a"; boundary=b',
    '\r\n',
  ],
])('a form of many parts that end with %s is refused', async (_name, contentType, between) => {
  proves('files-flood')
  const parts = `--b\r\n${head}"x"\r\n\r\n${between}`.repeat(100)
  const found = await receive(parts + fields + file + end, contentType)
  expect(found).toMatch(/more than 64 parts|no other parameter/)
})

test('a form that comes byte by byte holds no more than its bytes', async () => {
  proves('files-flood')
  const bytes = new TextEncoder().encode(fields + file.replace('text', 'x'.repeat(20_000)) + end)
  let at = 0
  let held = 0
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      stream.enqueue(bytes.slice(at, at + 1))
      at += 1
      if (at < bytes.length) return
      Bun.gc(true)
      held = heapStats().objectTypeCounts['Uint8Array'] ?? 0
      stream.close()
    },
  })
  const { file: received } = await receiveForm(body, type)
  expect(received).toHaveLength(20_000)
  expect(held).toBeLessThan(1000)
})

/** A part without an end, in chunks of 4 KiB; `pulled` counts their bytes. */
function createEndless(before: string) {
  const chunk = new TextEncoder().encode(','.repeat(4096))
  const found = { pulled: 0 }
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(new TextEncoder().encode(before)),
      pull(controller) {
        found.pulled += chunk.length
        if (found.pulled > 4 * 1024 ** 2) controller.close()
        else controller.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, found }
}
const startOf = (name: string) => `--b\r\n${head}"${name}"\r\n\r\n`
test.each([
  ['a path', fields + startOf('relPath'), '"relPath": expected at most 16384 bytes'],
  ['a name', startOf('fileName'), '"fileName": expected at most 16384 bytes'],
  ['an unknown field', startOf('x'), '"x": expected at most 16384 bytes'],
  ['a head', `--b\r\n${head}"file"; filename="`, '"file": expected at most 16384 bytes'],
  ['what is before the first part', '', '16384 bytes that belong to no field'],
  ['what is after the end', `${fields}${file}${end}`, '16384 bytes that belong to no field'],
])('%s that does not end is refused before more of it has come', async (_name, before, message) => {
  proves('files-flood')
  const { stream, found } = createEndless(before)
  const refusal = await receiveForm(stream, type).catch((error: Error) => error.message)
  expect(refusal).toContain(message)
  expect(found.pulled).toBeLessThanOrEqual(32_768)
})

test('fields that are short each are refused when they are long together', async () => {
  proves('files-flood')
  const part = `${startOf('x')}${'y'.repeat(2048)}\r\n`
  expect(await receive(part.repeat(40) + file + end, type)).toBe(
    'Cannot read the body: its fields have more than 65536 bytes together',
  )
})

test('a path of the greatest depth and the longest names is read, also in single bytes', async () => {
  const relPath = Array.from({ length: 32 }, () => 'n'.repeat(255))
  const bytes = new TextEncoder().encode(createFields(relPath.join(',')) + file + end)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  expect((await receiveForm(body, type)).fields.relPath).toEqual(relPath)
})

test('of a path with very many segments no more are made than show that they are too many', async () => {
  proves('files-flood')
  const split = vi.spyOn(String.prototype, 'split')
  onTestFinished(() => split.mockRestore())
  expect(await receive(createFields(','.repeat(16_000)) + file + end, type)).toContain('"relPath"')
  const lengths = split.mock.results.map(({ value }) => value.length)
  expect(Math.max(...lengths)).toBe(33)
})

test('a long text that is posed as the file is none', async () => {
  proves('files-flood')
  const posed = '--b\r\nContent-Disposition: form-data; y="; name=file"; name="relPath"\r\n\r\n'
  const body = `${posed}${','.repeat(100_000)}\r\n${file}${end}`
  expect(await receive(body, type)).toBe('Cannot accept the body: "file": missing')
})
