/** The HTTP server of Node, which answers also what it cannot parse. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem, type ProblemName, problems } from '@cardwire/client/protocol'
import { problemResponse } from '@cardwire/client/protocol/hono'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Log } from '../services.ts'
import { FileStream } from './file-stream.ts'
import type { Host } from './run.ts'

export const listen: Host['listen'] = ({ host, port }, fetch, log) => {
  const listener = getRequestListener(
    async (request, env) => {
      const response = await fetch(request, env)
      if (response.status === problems['body-too-large'].status && 'incoming' in env) {
        // Who still writes does not read yet, and a connection that is closed under a body takes the answer with it.
        const whole = await readAway(env.incoming as IncomingMessage)
        if (!whole) response.headers.set('connection', 'close')
      }
      // Only files say this; looking at the body of every answer would cost more than it is worth.
      const body = response.headers.has('accept-ranges') ? response.body : null
      if (!(body instanceof FileStream) || !('incoming' in env)) return response
      await sendFile(response, body, env.outgoing as ServerResponse)
      return RESPONSE_ALREADY_SENT
    },
    // A Host that is none, an address that cannot be parsed.
    { errorHandler: (error) => broken('body-malformed', String(error), log).response },
  )
  // Without this Node answers a request without Host itself, with an empty body.
  const server = createServer({ requireHostHeader: false }, listener)
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', (request, response) => answers.set(request.socket, response))
  server.on('checkExpectation', (request, response) => listener(request, response))
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    const begun = answers.get(socket)
    // In the middle of another answer, or after one of them is gone, nothing can be said any more.
    if (
      error.code === 'ECONNRESET' ||
      !socket.writable ||
      (begun?.headersSent && !begun.writableFinished)
    ) {
      socket.destroy()
    } else void answerBrokenRequest(error, socket, log)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') {
        throw new Error('Cannot tell the port: no TCP address')
      }
      resolve({
        port: address.port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeIdleConnections()
          }),
      })
    })
  })
}

/** How much of a refused body is read, in bytes, and for how long, in milliseconds. */
const readAtMost = { bytes: 8 * 1024 * 1024, ms: 2000 }

/** Reads the rest of a body that nobody wants; false: there was more. */
function readAway(incoming: IncomingMessage): Promise<boolean> {
  if (incoming.complete) return Promise.resolve(true)
  return new Promise((resolve) => {
    let left = readAtMost.bytes
    const end = () => {
      clearTimeout(timer)
      incoming.off('data', take).off('end', end).off('close', end)
      resolve(incoming.complete)
    }
    const take = (part: Uint8Array) => {
      left -= part.length
      // Whoever read it before has paused it.
      if (left > 0) incoming.resume()
      else end()
    }
    const timer = setTimeout(end, readAtMost.ms)
    incoming.on('data', take).once('end', end).once('close', end)
    incoming.resume()
  })
}

/** A file goes to the socket without a web stream between: as fast as the copying, whatever its size. */
async function sendFile(
  { status, headers }: Response,
  file: FileStream,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.writeHead(status, Object.fromEntries(headers))
  const gone = new Promise<never>((_, reject) => {
    outgoing.once('close', () =>
      reject(new Error('Cannot send the file: the connection is closed')),
    )
  })
  gone.catch(() => undefined)
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      outgoing.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  try {
    await file.sendTo((bytes) => Promise.race([write(bytes), gone]))
    outgoing.end()
  } catch {
    // Headers and part of the bytes are gone: closing early is how HTTP says that a body is not whole.
    outgoing.destroy()
  }
}

/** What Node could not parse, by its code, as a problem. */
const brokenBy: Readonly<Record<string, ProblemName>> = {
  HPE_HEADER_OVERFLOW: 'header-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-too-slow',
}

/** Node's own answers to a request it cannot parse have no body; old clients wait for one for ever. */
async function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Duplex,
  log: Log,
): Promise<void> {
  const name = brokenBy[error.code ?? ''] ?? 'body-malformed'
  const { response, title } = broken(name, error.code ?? error.message, log)
  const body = await response.text()
  const head = [
    `HTTP/1.1 ${response.status} ${title}`,
    `content-type: ${response.headers.get('content-type')}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  // Half-open clients never end the connection themselves.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

function broken(
  name: ProblemName,
  reason: string,
  log: Log,
): { response: Response; title: string } {
  const requestId = crypto.randomUUID()
  const { status, title } = problems[name]
  log.info('request', { requestId, route: 'none', status, reason })
  const problem = new Problem(
    name,
    'Cannot read the request: it is not as HTTP wants it, is too slow, or its header is too large',
  )
  return { response: problemResponse(problem, requestId), title }
}
