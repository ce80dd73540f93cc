/** The form of a page with a file: its fields, and the bytes of the file, within bounds of size and time. */
import { DownloadFields, maxFileBytes, maxFileDepth } from '@cardwire/protocol/file-exchange'
import { Problem } from '@cardwire/protocol/problem'
import { watchTransfer } from '@cardwire/protocol/transfer-watch'
import * as z from 'zod/mini'
import { createTooLarge } from '../files/whole-files.ts'
import { createFieldInvalid, createPartWatch, maxFieldBytes, maxFormBytes } from './form-parts.ts'

/** More than this is no file of the largest size with its fields. */
const maxBytes = maxFileBytes + maxFormBytes

/** The page is on this machine: 16 KiB in every 5 s, and all of it within two minutes. */
const leastRate = { windowMs: 5000, minBytes: 16 * 1024, maxWindows: 24 }

export interface ReceivedForm {
  readonly fields: DownloadFields
  readonly file: Uint8Array
}

/** `type`: the content type. Throws problems. */
export async function receiveForm(
  body: ReadableStream<Uint8Array>,
  type: string,
  rate = leastRate,
): Promise<ReceivedForm> {
  const border = readBorder(type)
  const bytes = await receiveAll(body, createPartWatch(border), rate)
  const form = await parseForm(bytes, border)
  const file = form.get('file')
  if (typeof file === 'string' || file === null) throw createFieldInvalid('file', 'missing')
  const found = z.safeParse(DownloadFields, readFields(form))
  if (!found.success) {
    const [issue] = found.error.issues
    throw createFieldInvalid(issue?.path.join('.') ?? '', issue?.message ?? '')
  }
  return { fields: found.data, file: new Uint8Array(await file.arrayBuffer()) }
}

/**
 * The border between the parts (RFC 2046 §5.1.1). A type with another parameter is refused: the parser might find its border there,
 * and the parts would be counted by a border that is none.
 */
function readBorder(type: string): string {
  const [, , border] =
    /^multipart\/form-data\s*;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i.exec(type) ?? []
  if (border !== undefined) return border
  throw new Problem(
    'body-malformed',
    'Cannot read the body: expected multipart/form-data with a boundary and no other parameter',
  )
}

async function parseForm(bytes: Uint8Array<ArrayBuffer>, border: string): Promise<FormData> {
  const type = `multipart/form-data; boundary=${border}`
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch {
    // The parser's own message may quote what the page sent.
    throw new Problem('body-malformed', 'Cannot read the body: it is not multipart/form-data')
  }
}

function readFields(form: FormData) {
  const relPath = form.getAll('relPath').map(String)
  const texts = [...form].filter(([name]) => name !== 'file')
  // The parser has found another part to be the file.
  if (texts.some(([, value]) => String(value).length > maxFieldBytes)) {
    throw createFieldInvalid('file', 'missing')
  }
  return {
    ...Object.fromEntries(texts.filter(([name, value]) => name !== 'relPath' && value !== '')),
    // Clients join the segments by commas where the connector is of 3.5.0 or later, and repeat the field before.
    relPath: relPath.length === 1 ? relPath[0]?.split(',', maxFileDepth + 1) : relPath,
  }
}

/** Into one buffer: a body may come in chunks of a byte, and each is an object. `check` throws for what has come so far. */
async function receiveAll(
  body: ReadableStream<Uint8Array>,
  check: (received: Buffer) => void,
  rate: typeof leastRate,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  let isLate = false
  const watch = watchTransfer(rate, () => {
    isLate = true
    // What is being read ends then.
    reader.cancel().catch(() => undefined)
  })
  let bytes = new Uint8Array(leastRate.minBytes)
  let size = 0
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (isLate) throw createTooSlow()
      if (done) return bytes.slice(0, size)
      watch.count(value.length)
      const least = size + value.length
      if (least > maxBytes) throw createTooLarge()
      if (least > bytes.length) bytes = grow(bytes, least, maxBytes)
      bytes.set(value, size)
      size = least
      check(Buffer.from(bytes.buffer, 0, size))
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem(
      'body-malformed',
      'Cannot read the body: the connection was closed before its end',
    )
  } finally {
    watch.end()
  }
}

/** Twice as long where it may be, so that bytes are copied a few times only. */
function grow(bytes: Uint8Array, least: number, most: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.max(least, Math.min(most, 2 * bytes.length)))
  grown.set(bytes)
  return grown
}

const createTooSlow = () =>
  new Problem('request-too-slow', 'Cannot receive the file: it arrives too slowly, send it again', {
    headers: { connection: 'close' },
  })
