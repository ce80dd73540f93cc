/** Forms with a file: what browsers send, and what nobody should. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { readUploadForm } from './upload-form.ts'

const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n${content}\r\n`
const end = `--${boundary}--\r\n`

interface Sent {
  readonly type?: string
  /** Bytes in each part that comes. */
  readonly partSize?: number
  readonly headers?: Record<string, string>
}

function createRequest(
  form: string,
  { type = `multipart/form-data; boundary=${boundary}`, partSize = 65_536, headers }: Sent = {},
): Request {
  const bytes = new TextEncoder().encode(form)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= bytes.length) controller.close()
      else controller.enqueue(bytes.slice(sent, sent + partSize))
      sent += partSize
    },
  })
  return new Request('http://localhost/', {
    method: 'POST',
    body,
    headers: { 'content-type': type, 'content-length': String(bytes.length), ...headers },
    duplex: 'half',
  } as RequestInit)
}

async function read(form: string, sent?: Sent) {
  const { fields, file } = await readUploadForm(createRequest(form, sent))
  const { name, size } = file
  return { fields: [...fields], name, size, content: await new Response(file.body).text() }
}

const malformed = { name: 'body-malformed' }

describe('readUploadForm', () => {
  test.each([1, 2, 7, 64, 65_536])(
    'reads fields and file from parts of %d bytes',
    async (partSize) => {
      const content = `\r\n--${boundary.slice(0, -1)}\r\r\n--\r\nbytes\r\n\r\n`
      const form =
        field('name', 'a "name" é') + field('empty', '') + file('über.deb', content) + end
      expect(await read(form, { partSize })).toEqual({
        fields: [
          ['name', 'a "name" é'],
          ['empty', ''],
        ],
        name: 'über.deb',
        size: content.length,
        content,
      })
    },
  )

  test('reads the form that a runtime makes itself', async () => {
    const form = new FormData()
    form.set('version', '4.0.0')
    form.set('file', new File(['the bytes'], 'a.deb'))
    const made = new Response(form)
    const type = made.headers.get('content-type') ?? ''
    expect(await read(await made.text(), { type })).toEqual({
      fields: [['version', '4.0.0']],
      name: 'a.deb',
      size: 9,
      content: 'the bytes',
    })
  })

  test('finds no name and no bytes where nobody chose a file', async () => {
    expect(await read(file('', '') + end)).toMatchObject({ name: '', size: 0, content: '' })
  })

  test.each([
    ['an empty file', 'empty.deb', ''],
    ['a file of line breaks', 'lines.deb', '\r\n\r\n'],
  ])('reads %s', async (_, name, content) => {
    expect(await read(file(name, content) + end)).toMatchObject({
      name,
      size: content.length,
      content,
    })
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\fakepath\\a.deb', 'a.deb'],
    ['/', ''],
    ['<img src=x onerror=alert(1)>.deb', '<img src=x onerror=alert(1)>.deb'],
  ])('takes from the file name "%s" what stands behind its folders', async (given, name) => {
    expect((await read(file(given, 'x') + end)).name).toBe(name)
  })

  test('does not take a field for the file whose content looks like headers', async () => {
    const value = 'Content-Disposition: form-data; name="file"; filename="a.deb"\r\n\r\nx'
    const form = field('name', value) + file('b.deb', 'y') + end
    expect(await read(form)).toMatchObject({ fields: [['name', value]], name: 'b.deb' })
  })
})

test('readUploadForm reads a large file part by part', async () => {
  proves('form-head-large')
  const part = new Uint8Array(1024 * 1024).fill(13)
  const head = new TextEncoder().encode(file('a.deb', '').slice(0, -2))
  const tail = new TextEncoder().encode(`\r\n${end}`)
  const count = 64
  let made = 0
  let read = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        made += 1
        controller.enqueue(made === 1 ? head : made === count + 2 ? tail : part)
        if (made === count + 2) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const length = head.length + count * part.length + tail.length
  const form = await readUploadForm(
    new Request('http://localhost/', {
      method: 'POST',
      body,
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(length),
      },
      duplex: 'half',
    } as RequestInit),
  )
  for await (const bytes of form.file.body) {
    read += bytes.length
    // Nothing is read ahead: what was made is at most two parts before what was read.
    expect(made - 1 - read / part.length).toBeLessThanOrEqual(2)
  }
  expect([form.file.size, read]).toEqual([count * part.length, count * part.length])
})

describe('readUploadForm refuses', () => {
  test.each([
    ['has two files', file('a.deb', 'a') + file('b.deb', 'b') + end],
    ['has a field behind its file', file('a.deb', 'a') + field('name', 'late') + end],
    ['has no end', file('a.deb', 'a').repeat(1)],
    ['has an end without its line break', (file('a.deb', 'a') + end).slice(0, -2)],
    ['has something behind its end', `${file('a.deb', 'a')}${end}more`],
    ['has a second end', `${file('a.deb', 'a')}${end}${end}`],
    ['has no file', field('name', 'value') + end],
    ['is empty', ''],
    ['begins with something else', `preamble\r\n${file('a.deb', 'a')}${end}`],
    ['has fields without end', field('name', 'x'.repeat(20_000)) + file('a.deb', 'a') + end],
    ['has headers without end', `--${boundary}\r\nX: ${'x'.repeat(100_000)}`],
    [
      'has a file without a name of its field',
      `--${boundary}\r\nContent-Disposition: form-data; filename="a.deb"\r\n\r\na\r\n${end}`,
    ],
  ])('a form that %s', async (_, form) => {
    proves('form-file-swapped', 'form-head-large')
    for (const partSize of [1, 65_536]) {
      await expect(read(form, { partSize })).rejects.toMatchObject(malformed)
    }
  })

  test.each([-20, -1, 1, 20])('a form whose length is wrong by %d', async (difference) => {
    proves('form-file-swapped')
    const form = file('a.deb', 'the bytes of it') + end
    const headers = { 'content-length': String(form.length + difference) }
    await expect(read(form, { headers })).rejects.toMatchObject(malformed)
  })

  test('a form whose connection is closed before its end', async () => {
    const form = file('a.deb', 'the bytes of it') + end
    const headers = { 'content-length': String(form.length) }
    await expect(read(form.slice(0, -50), { headers })).rejects.toMatchObject(malformed)
  })

  test('a form of unknown length', async () => {
    const request = createRequest(file('a.deb', 'a') + end)
    request.headers.delete('content-length')
    await expect(readUploadForm(request)).rejects.toMatchObject({ name: 'length-required' })
  })

  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary="\r"'.replace('\r', ' '),
  ])('a body of the type %s', async (type) => {
    await expect(read('', { type })).rejects.toMatchObject({ name: 'content-type-unsupported' })
  })
})
