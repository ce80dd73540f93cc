/** Sends a file for download: whole, in parts, or as not modified (RFC 9110 §13, §14). */
import { Problem } from '@cardwire/protocol'
import type { Context } from 'hono'
import type { Package } from '../packages/packages.ts'
import { hexToBase64 } from '../rules/encoding.ts'
import { selectPart } from '../rules/range.ts'

interface Download {
  readonly file: Package
  /** The name under which the browser stores the file. */
  readonly name: string
  /** Of the whole file, hex. */
  readonly sha256?: string | undefined
  /** The address that downloads it. */
  readonly client: string
  /** Awaited before the first byte is sent; not for a later part of the file. */
  onBegin(): Promise<void>
}

export async function sendFile(
  context: Context,
  { file, name, sha256, client, onBegin }: Download,
): Promise<Response> {
  const { req } = context
  const part = selectPart(file, {
    range: req.method === 'GET' ? req.header('range') : undefined,
    ifRange: req.header('if-range'),
    ifNoneMatch: req.header('if-none-match'),
  })
  if (part.status === 304)
    return context.body(null, 304, { etag: file.etag, 'cache-control': 'no-cache' })
  if (part.status === 416) {
    throw new Problem(
      'range-unsatisfiable',
      `Cannot send this range: the file has ${file.size} bytes`,
      { headers: { 'content-range': `bytes */${file.size}` } },
    )
  }
  const { start, end } = part.status === 206 ? part : { start: 0, end: file.size - 1 }
  const disposition = createContentDisposition(name)
  if (file.presign && req.method === 'GET') {
    const location = await file.presign(disposition)
    if (start === 0) await onBegin()
    // The address ends soon, and the client sends its range there again.
    return context.body(null, 302, { location, 'cache-control': 'no-store' })
  }
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': 'no-cache',
    'content-disposition': disposition,
    'content-type': 'application/octet-stream',
    etag: file.etag,
    'x-content-type-options': 'nosniff',
    // RFC 9530: lets the recipient check the whole file.
    ...(sha256 && { 'repr-digest': `sha-256=:${hexToBase64(sha256)}:` }),
    'content-length': String(end - start + 1),
    ...(part.status === 206 && { 'content-range': `bytes ${start}-${end}/${file.size}` }),
  }
  if (req.method === 'HEAD') return context.body(null, 200, headers)
  const body = end < start ? '' : await file.read(start, end, client)
  if (start === 0) await onBegin()
  return context.body(body, part.status, headers)
}

/** RFC 6266: a plain name for old programs, the true one in UTF-8 beside it. */
function createContentDisposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
