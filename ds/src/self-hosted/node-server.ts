/** The HTTP server on Node and Deno; requests that cannot be parsed get a problem as well. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem, type ProblemName, problems } from '@cardwire/protocol'
import { createProblemResponse } from '@cardwire/protocol/hono'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Log } from '../ports.ts'
import { answerInTurn, holdTurn } from './answer-in-turn.ts'
import { prepareClose } from './close-server.ts'
import { FileStream } from './file-stream.ts'
import { allowLongBody, endDurationLimit, limitBody, limitDuration } from './limit-duration.ts'
import type { Host } from './run.ts'

/**
 * How long a client may take, in milliseconds. A body has a rate and a deadline of its own (receive-body.ts), and so have a
 * file (file-stream.ts) and any other response (limit-duration.ts).
 */
const timeouts = {
  /** For a connection that has sent nothing yet, too. */
  header: 10_000,
  /** How often the server looks for requests that are late. */
  check: 5000,
  /** Without a byte in either direction, while a response waits for its client as well. */
  idle: 60_000,
} as const

/** How many fields a header may have. Each takes more memory than its bytes: 16 KiB can be three thousand. */
const maxFields = 100

/** Answers requests with `handle`; files go to the socket without a web stream between. */
const createListener = (handle: Parameters<Host['listen']>[1], log: Log) =>
  getRequestListener(
    async (request, env) => {
      const response = await handle(request, env)
      if (response.status === problems['body-too-large'].status && 'incoming' in env) {
        // A client that still sends does not read yet: a connection closed before the end of the body loses the response.
        const isComplete = await drainBody(env.incoming as IncomingMessage)
        if (!isComplete) response.headers.set('connection', 'close')
      }
      // Only files have this header: reading `body` of every response would create a stream each time.
      const body = response.headers.has('accept-ranges') ? response.body : null
      if (!(body instanceof FileStream) || !('incoming' in env)) return response
      await sendFile(response, body, env.outgoing as ServerResponse)
      return RESPONSE_ALREADY_SENT
    },
    // For a malformed Host, or an address that cannot be parsed.
    {
      errorHandler: (error) =>
        createUnreadableResponse('body-malformed', String(error), log).response,
    },
  )

export const listen: Host['listen'] = ({ host, port }, handle, log) => {
  const listener = createListener(handle, log)
  // With the default Node answers a request without Host itself, with an empty body.
  const server = createServer({
    requireHostHeader: false,
    headersTimeout: timeouts.header,
    // Of the bodies each has a timer of its own (limit-duration.ts): an upload takes longer than others.
    requestTimeout: 0,
    connectionsCheckingInterval: timeouts.check,
  })
  server.timeout = timeouts.idle
  const close = prepareClose(server)
  const openResponses = new WeakMap<Duplex, ServerResponse>()
  const answer = answerInTurn(openResponses, (request, response) => {
    limitBody(request, () => refuse(createLateError(), request.socket))
    limitDuration(response, request.socket)
    void listener(request, response)
  })
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    // With `maxHeadersCount` Node would leave out the last ones, such as those of a proxy.
    if (request.rawHeaders.length > 2 * maxFields) refuse(createFieldsError(), request.socket)
    else if (hasDotSegment(request.url)) refuse(createDotsError(), request.socket)
    else answer(request, response)
  }
  const refuse = (error: ParseError, socket: Duplex) => {
    if (mayAnswer(error, socket, openResponses.get(socket)))
      void answerUnreadableRequest(error, socket, log)
    else socket.destroy()
  }
  server.on('request', receive)
  server.on('checkExpectation', receive)
  server.on('clientError', refuse)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') {
        throw new Error('Cannot read the port: the server has no TCP address')
      }
      resolve({
        port: address.port,
        close,
      })
    })
  })
}

/** Why Node cannot read a request; its codes are listed at nodejs.org/api/errors.html. */
type ParseError = Error & { readonly code?: string }

/** Not when the socket is closed, or another request is being answered: no other response can be sent. */
const mayAnswer = ({ code }: ParseError, socket: Duplex, open: ServerResponse | undefined) =>
  code !== 'ECONNRESET' && socket.writable && !open?.headersSent && !open?.req.complete

/** As Node names it (nodejs.org/api/errors.html). */
const createLateError = () =>
  Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** As Node names it. */
const createFieldsError = () =>
  Object.assign(new Error('Too many header fields'), { code: 'HPE_HEADER_OVERFLOW' })

/**
 * Whether a path leads somewhere else than it begins, which no client sends by itself: a proxy that adds the path of its client to an
 * address would ask another one.
 */
const hasDotSegment = (target = ''): boolean =>
  /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i.test(target.replace(/[?#].*$/s, ''))

const createDotsError = () => new Error('The path has a segment of dots')

/** For an upload, whose rate and duration its handler limits. */
export const allowUpload: Host['allowLongBody'] = ({ env }) =>
  allowLongBody(env.incoming, env.outgoing)

/** For a response that waits for news, whose handler limits the time: its client sends nothing meanwhile, or is disconnected. */
export const holdResponse: Host['holdResponse'] = ({ env }) => {
  const outgoing: ServerResponse = env.outgoing
  const { socket } = outgoing
  holdTurn(outgoing)
  endDurationLimit(outgoing)
  socket?.setTimeout(0)
  outgoing.once('close', () => socket?.setTimeout(timeouts.idle))
}

/** How much of a refused body is read, in bytes, and for how long, in milliseconds. */
const maxDrained = { bytes: 8 * 1024 * 1024, ms: 2000 }

/** Reads and drops the rest of a body; false when it was too long or too slow. */
function drainBody(incoming: IncomingMessage): Promise<boolean> {
  if (incoming.complete) return Promise.resolve(true)
  return new Promise((resolve) => {
    let left = maxDrained.bytes
    const end = () => {
      clearTimeout(timer)
      incoming.off('data', take).off('end', end).off('close', end)
      resolve(incoming.complete)
    }
    const take = (part: Uint8Array) => {
      left -= part.length
      // The handler may have paused it.
      if (left > 0) incoming.resume()
      else end()
    }
    const timer = setTimeout(end, maxDrained.ms)
    incoming.on('data', take).once('end', end).once('close', end)
    incoming.resume()
  })
}

/** Writes a file to the socket without a web stream between, which would be slower. */
async function sendFile(
  { status, headers }: Response,
  file: FileStream,
  outgoing: ServerResponse,
): Promise<void> {
  // The file ends a transfer that is too slow.
  endDurationLimit(outgoing)
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
    // The headers are sent already: an early close is how HTTP shows that a body is incomplete.
    outgoing.destroy()
  }
}

/** The problem for each code of Node's parser; `body-malformed` for the others. */
const problemByCode: Readonly<Record<string, ProblemName>> = {
  HPE_HEADER_OVERFLOW: 'header-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-too-slow',
}

/** Node's own responses to a request it cannot parse have no body; old clients wait for one for ever. */
async function answerUnreadableRequest(error: ParseError, socket: Duplex, log: Log): Promise<void> {
  const name = problemByCode[error.code ?? ''] ?? 'body-malformed'
  const { response, title } = createUnreadableResponse(name, error.code ?? error.message, log)
  const body = await response.text()
  const head = [
    `HTTP/1.1 ${response.status} ${title}`,
    `content-type: ${response.headers.get('content-type')}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  // A half-open client never closes the connection itself.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

function createUnreadableResponse(
  name: ProblemName,
  reason: string,
  log: Log,
): { response: Response; title: string } {
  const requestId = crypto.randomUUID()
  const { status, title } = problems[name]
  log.info('request', { requestId, route: 'none', status, reason })
  const problem = new Problem(
    name,
    'Cannot read the request: it is not valid HTTP, it is too slow, or its header is too large',
  )
  return { response: createProblemResponse(problem, requestId), title }
}
