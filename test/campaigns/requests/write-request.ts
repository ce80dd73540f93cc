/** A planned request with what the program knows put into it: bytes, and a command that sends the same bytes again. */
import type { Address } from './connection.ts'
import { frameRequest, type WireRequest } from './framing.ts'
import type { Header, PlannedRequest } from './planned-request.ts'
import { fillIn, type Target } from './target.ts'

/** The answers that may follow the first one to bytes that are no single request. */
const maxResponses = 4

type RequestTarget = Pick<Target, 'resolve' | 'createHeaders'>

export function writeRequest(request: PlannedRequest, target: RequestTarget): WireRequest {
  const { method, frame, raw } = request
  const body = toBytes(request.body, target.resolve)
  const own = request.headers.map(([name, value]): Header => [name, fillIn(value, target.resolve)])
  const headers = [...target.createHeaders(request, body), ...own]
  if (raw === undefined) {
    const path = fillIn(request.path, target.resolve)
    return frameRequest({ method, path, headers, body }, frame)
  }
  const others = headers.filter(([name]) => name !== 'host')
  const lines = others.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const resolve = (name: string) => (name === 'headers' ? lines : target.resolve(name))
  const bytes = Buffer.from(fillIn(raw.toString(), resolve), 'latin1')
  return {
    parts: bytes.length === 0 ? [] : [bytes],
    methods: Array.from({ length: maxResponses }, () => method),
    isOneEnough: true,
    end: 'waits',
    sharesConnection: false,
  }
}

function toBytes(body: PlannedRequest['body'], resolve: (name: string) => string) {
  if (body === undefined) return undefined
  return typeof body === 'string' ? Buffer.from(fillIn(body, resolve)) : Buffer.from(body)
}

/** Bytes that repeat so often are written as a count. */
const leastRepeated = 64

/** A shell command that sends these bytes. The client of a campaign may close earlier or wait longer. */
export function toCommand({ parts, end }: WireRequest, { port, ca }: Address): string {
  const bytes = Buffer.concat(parts).toString('latin1')
  const pieces = bytes.match(
    new RegExp(`([^])\\1{${leastRepeated},}|[^]+?(?=([^])\\2{${leastRepeated},}|$)`, 'g'),
  )
  const commands = (pieces ?? []).map((piece) => {
    const [first = ''] = piece
    const isRepeated = piece.length > leastRepeated && piece === first.repeat(piece.length)
    return isRepeated && printable.test(first)
      ? `head -c ${piece.length} /dev/zero | tr '\\0' '${first}'`
      : `printf '%b' '${quote(piece)}'`
  })
  const rest = end === 'waits' ? 'sleep 30' : ''
  const send = ca
    ? `openssl s_client -quiet -servername localhost -connect 127.0.0.1:${port}`
    : `nc 127.0.0.1 ${port}`
  return `{ ${[...commands, rest].filter(Boolean).join('; ')}; } | ${send}`
}

const printable = /[ !"#$%&()*+,./0-9:;<=>?@A-Z[\]^_`a-z{|}~-]/

/** As `printf '%b'` reads it, between single quotes. */
const quote = (text: string): string =>
  [...text]
    .map((character) =>
      printable.test(character)
        ? character
        : `\\0${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
    )
    .join('')
