/** Reads responses from the bytes of a connection (RFC 9112): a client that refuses nothing would hide what a program sends. */

export interface RawResponse {
  readonly status: number
  /** Names in lower case; of a header that is there twice both values, with a comma between. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** False: the bytes of its body are still coming. */
  readonly isComplete: boolean
  /** Whether the connection can be used again. */
  readonly keepsConnection: boolean
}

interface ReadResult {
  readonly responses: readonly RawResponse[]
  /** Bytes behind the last whole response. */
  readonly rest: Buffer
}

/** Bytes that are no response. */
export class MalformedResponse extends Error {}

/** `methods`: of the requests that were sent, in their order; `hasEnded`: no more bytes come. */
export function readResponses(
  bytes: Buffer,
  methods: readonly string[],
  hasEnded: boolean,
): ReadResult {
  const responses: RawResponse[] = []
  let rest = bytes
  while (rest.length > 0) {
    const head = readHead(rest)
    if (!head) break
    const { status, headers, after } = head
    if (status >= 100 && status < 200 && status !== 101) {
      rest = after
      continue
    }
    const hasBody = methods[responses.length] !== 'HEAD' && status !== 204 && status !== 304
    const read = hasBody
      ? readBody(after, headers, hasEnded)
      : { body: Buffer.alloc(0), rest: after }
    const keepsConnection =
      !/close/i.test(headers.get('connection') ?? '') && read.isUntilClose !== true
    const { body = Buffer.alloc(0), isPartial = false } = read
    responses.push({ status, headers, body, isComplete: !isPartial, keepsConnection })
    if (isPartial) break
    rest = read.rest
  }
  return { responses, rest }
}

function readHead(bytes: Buffer) {
  const end = bytes.indexOf('\r\n\r\n')
  const lines = (end < 0 ? bytes.subarray(0, 64) : bytes.subarray(0, end))
    .toString('latin1')
    .split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})( |$)/.exec(lines[0] ?? '')?.[1])
  if (end < 0) {
    if (bytes.length >= 12 && !/^HTTP\/1\.[01] \d/.test(lines[0] ?? '')) throw malformed(bytes)
    return undefined
  }
  if (!status) throw malformed(bytes)
  const headers = new Map<string, string>()
  for (const line of lines.slice(1)) {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (name === undefined) throw malformed(bytes)
    const known = headers.get(name.toLowerCase())
    headers.set(name.toLowerCase(), known === undefined ? value : `${known}, ${value}`)
  }
  return { status, headers, after: bytes.subarray(end + 4) }
}

interface BodyResult {
  readonly body: Buffer
  readonly rest: Buffer
  readonly isPartial?: boolean
  readonly isUntilClose?: boolean
}

function readBody(
  bytes: Buffer,
  headers: ReadonlyMap<string, string>,
  hasEnded: boolean,
): BodyResult {
  const none = Buffer.alloc(0)
  if (/chunked/i.test(headers.get('transfer-encoding') ?? '')) return readChunks(bytes)
  const length = headers.get('content-length')
  if (length === undefined) {
    return { body: bytes, rest: none, isPartial: !hasEnded, isUntilClose: true }
  }
  const size = Number(length)
  if (bytes.length < size) return { body: bytes, rest: none, isPartial: true }
  return { body: bytes.subarray(0, size), rest: bytes.subarray(size) }
}

function readChunks(bytes: Buffer): BodyResult {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) break
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    if (Number.isNaN(size)) throw malformed(bytes.subarray(at))
    const end = lineEnd + 2 + size
    if (bytes.length < end + 2) break
    if (size === 0) return { body: Buffer.concat(parts), rest: bytes.subarray(end + 2) }
    parts.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
  return { body: Buffer.concat(parts), rest: Buffer.alloc(0), isPartial: true }
}

const malformed = (bytes: Buffer) =>
  new MalformedResponse(
    `it is no HTTP: ${JSON.stringify(bytes.subarray(0, 80).toString('latin1'))}`,
  )
