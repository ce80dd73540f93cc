/** Receives the body of a request: a body that is too large or comes too slowly is a problem. */
import type { Context } from 'hono'
import type { Operation } from './operation.ts'
import { Problem } from './problem.ts'
import { watchReader } from './transfer-watch.ts'

/**
 * The largest bodies that are received. A form is a login, which anybody may send: name and password of full length need
 * 11 KiB, and a form of 1 MiB takes seconds to parse.
 */
const maxBodyBytes = {
  json: 1024 * 1024,
  'merge-patch': 1024 * 1024,
  bytes: 1024 * 1024,
  form: 16 * 1024,
} as const

/** 16 KiB or the rest of the body in every 5 s, and all of it in 30 s: 1 MiB needs 35 KiB/s. */
const leastRate = { windowMs: 5000, minBytes: 16 * 1024, maxWindows: 6 }

type BodyType = Exclude<NonNullable<Operation['body']>['type'], 'stream'>

/** Receives the whole body; Hono keeps it for the handler. */
export async function receiveBody(context: Context, type: BodyType): Promise<void> {
  const maxBytes = maxBodyBytes[type]
  const length = readDeclaredLength(context)
  if (length !== undefined && length > maxBytes) throw createBodyTooLarge(maxBytes)
  try {
    await receive(context, type, length, maxBytes)
  } catch (error) {
    if (error instanceof Problem) throw error
    // Nobody reads this response, but it is no failure of the service.
    throw new Problem(
      'body-malformed',
      'Cannot read the body: the connection was closed before its end',
    )
  }
}

async function receive(
  { req }: Context,
  type: BodyType,
  length: number | undefined,
  maxBytes: number,
): Promise<void> {
  if (length !== undefined && length <= leastRate.minBytes) {
    // The runtimes read a short body faster than a stream of it, in the form in which the handler reads it.
    await receiveInTime(type === 'bytes' ? req.arrayBuffer() : req.text())
  } else if (req.raw.body) {
    req.raw = new Request(req.raw, { body: await receiveParts(req.raw.body, maxBytes) })
  }
}

/** The content-length, which every HTTP parser enforces; undefined for a body in chunks. */
function readDeclaredLength({ req }: Context): number | undefined {
  const length = req.header('content-length')
  return length === undefined || req.header('transfer-encoding') !== undefined
    ? undefined
    : Number(length)
}

/** For a body that has to come within the first window. */
async function receiveInTime(body: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(createTooSlow()), leastRate.windowMs)
  // When it was late nobody waits for it any more: the end of its connection must not count as unhandled.
  body.catch(() => undefined)
  try {
    await Promise.race([body, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function receiveParts(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  // Never cancelled: on Node that closes the connection, and with it the way of the response.
  const { read, end } = watchReader(body.getReader(), leastRate, createTooSlow)
  try {
    return await collectParts(async () => (await read()).value, maxBytes)
  } finally {
    end()
  }
}

/** The parts as one, in a buffer that doubles: many small parts take no more memory than their bytes. */
async function collectParts(
  readPart: () => Promise<Uint8Array | undefined>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  let [size, buffer] = [0, new Uint8Array(0)]
  for (let part = await readPart(); part; part = await readPart()) {
    const start = size
    size += part.length
    if (size > maxBytes) throw createBodyTooLarge(maxBytes)
    if (size > buffer.length) {
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(size, buffer.length * 2)))
      larger.set(buffer.subarray(0, start))
      buffer = larger
    }
    buffer.set(part, start)
  }
  return buffer.subarray(0, size)
}

const createBodyTooLarge = (maxBytes: number) =>
  new Problem('body-too-large', `Cannot read the body: it is larger than ${maxBytes} bytes`)

const createTooSlow = () =>
  new Problem('request-too-slow', 'Cannot receive the body: it arrives too slowly, send it again', {
    headers: { connection: 'close' },
  })
