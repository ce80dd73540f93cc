/** How many parts a form may have, whatever its type and its borders look like. */
import { heapStats } from 'bun:jsc'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { receiveForm } from './receive-form.ts'

const type = 'multipart/form-data; boundary=b'
const head = 'Content-Disposition: form-data; name='
const file = `--b\r\n${head}"file"; filename="a.txt"\r\n\r\ntext\r\n`
const fields = Object.entries({ entity: 'shop', type: 'orders', relPath: '', fileName: 'a.txt' })
  .map(([name, value]) => `--b\r\n${head}"${name}"\r\n\r\n${value}\r\n`)
  .join('')
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
