/** Writes a request as bytes, in the way that its frame says. */
import type { Frame, Header } from './planned-request.ts'

export interface WireRequest {
  /** Written one after the other, each when the program had time for the one before. */
  readonly parts: readonly Buffer[]
  /** The methods, in their order: as many responses are awaited, and no more may come. */
  readonly methods: readonly string[]
  /** Nobody can say how many requests the bytes are: one response is enough. */
  readonly isOneEnough?: boolean
  /** What the client does behind the last part. */
  readonly end: 'waits' | 'half-closes' | 'goes'
  /** Whether a connection that is open may carry it, and others after it. */
  readonly sharesConnection: boolean
}

interface RequestLine {
  readonly method: string
  readonly path: string
  readonly headers: readonly Header[]
  readonly body: Buffer | undefined
}

/** How many requests a pipeline has. */
const pipelineLength = 3

export function frameRequest(request: RequestLine, frame: Frame): WireRequest {
  const { method, body } = request
  const whole = { methods: [method], end: 'waits', sharesConnection: true } as const
  const alone = { ...whole, sharesConnection: false } as const
  const plain = writeRequest(request)
  switch (frame) {
    case 'whole':
      return { ...whole, parts: [plain] }
    case 'one-time':
      return { ...alone, parts: [plain] }
    case 'chunked':
      return { ...whole, parts: [writeRequest(request, 'chunked')] }
    case 'in-pieces':
      return { ...whole, parts: cutInPieces(plain) }
    case 'pipelined':
      return {
        ...alone,
        parts: [Buffer.concat(Array.from({ length: pipelineLength }, () => plain))],
        methods: Array.from({ length: pipelineLength }, () => method),
      }
    case 'half-closed':
      return { ...alone, parts: [plain], end: 'half-closes' }
    case 'unfinished-header':
      return { ...alone, parts: [plain.subarray(0, plain.indexOf('\r\n\r\n'))] }
    case 'unfinished-body':
      return { ...alone, parts: [plain.subarray(0, plain.length - 1 - ((body?.length ?? 0) >> 1))] }
    case 'unfinished-chunks':
      return { ...alone, parts: [writeRequest(request, 'unfinished')] }
    case 'cut-off':
      return { ...alone, parts: [writeRequest(request, 'unfinished')], end: 'goes' }
  }
}

function writeRequest(
  { method, path, headers, body }: RequestLine,
  chunks?: 'chunked' | 'unfinished',
): Buffer {
  const length: readonly Header[] =
    chunks !== undefined
      ? [['transfer-encoding', 'chunked']]
      : body === undefined
        ? []
        : [['content-length', String(body.length)]]
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  if (chunks === undefined) return Buffer.concat([head, body ?? Buffer.alloc(0)])
  const end = Buffer.from(chunks === 'chunked' ? '0\r\n\r\n' : '')
  return Buffer.concat([head, ...writeChunks(body ?? Buffer.alloc(0)), end])
}

/** Bytes of a chunk: small bodies have several. */
const chunkSize = 37

function writeChunks(body: Buffer): readonly Buffer[] {
  const size = body.length > 64 * chunkSize ? 16_384 : chunkSize
  return Array.from({ length: Math.ceil(body.length / size) }, (_, n) => {
    const chunk = body.subarray(n * size, (n + 1) * size)
    return Buffer.concat([
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ])
  })
}

/** Cut within the request line, the header, and the body. */
function cutInPieces(bytes: Buffer): readonly Buffer[] {
  const cuts = [5, bytes.indexOf('\r\n') + 1, bytes.indexOf('\r\n\r\n') + 2, bytes.length]
  return cuts.map((cut, n) => bytes.subarray(cuts[n - 1] ?? 0, cut))
}
