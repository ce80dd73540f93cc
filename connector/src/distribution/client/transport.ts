/** HTTP requests to the distribution service: with deadlines, through the machine's proxy, to trusted certificates only. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { readConnectionOptions, Unreachable } from './connection-options.ts'
import { lookupElsewhere } from './redirect.ts'

/** Specification, Limits: milliseconds until there is a connection, and until the response is complete. */
export const deadlines = { connectMs: 10_000, overallMs: 15_000 } as const

/** Milliseconds for which a request that comes all the time uses the proxy that the system named before. */
const maxProxyAgeMs = 600_000

/** Bytes. More than any response of a service but an installer. */
const maxResponseBytes = 8 * 1024 * 1024

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** A longer response body throws ResponseTooLarge. */
  readonly maxBytes?: number
  /** Fails when the name of the host resolves to this machine. */
  readonly elsewhere?: boolean
  /** For a response that may take long: the service waits with it. */
  readonly held?: HeldResponse
}

export interface HeldResponse {
  /** Until the response is complete. */
  readonly overallMs: number
  /** Ends the request, which fails then. */
  readonly signal: AbortSignal
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The service responded with more bytes than were allowed. */
export class ResponseTooLarge extends Unreachable {}

/** Sends one request. Throws Unreachable when there is no complete response; no status is an error. */
export type HttpTransport = (request: HttpRequest) => Promise<HttpResponse>

export interface TransportOptions {
  /** A file of roots that are trusted beside those of the system, PEM. */
  readonly caFile?: string | undefined
  readonly deadlines?: { readonly connectMs: number; readonly overallMs: number }
}

export function createTransport({
  caFile,
  deadlines: { connectMs, overallMs } = deadlines,
}: TransportOptions): HttpTransport {
  return async (given) => {
    const { method, url, headers = {}, body, elsewhere, maxBytes = maxResponseBytes, held } = given
    const connection = await readConnectionOptions(url, caFile, held && maxProxyAgeMs)
    const allowedMs = held?.overallMs ?? overallMs
    const startRequest = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise((resolve, reject) => {
      const request = startRequest(url, {
        method,
        headers: { ...headers, ...(body && { 'content-length': body.length }) },
        ...connection,
        ...(elsewhere && { lookup: lookupElsewhere }),
      })
      const fail = (error: Error) => {
        clearTimeout(connectTimer)
        end()
        request.destroy()
        const text = `Cannot reach ${new URL(url).host}: ${error.message}`
        reject(error instanceof ResponseTooLarge ? error : new Unreachable(text))
      }
      const connectTimer = setTimeout(
        () => fail(new Error(`no connection in ${connectMs / 1000} s`)),
        connectMs,
      )
      const overallTimer = setTimeout(
        () => fail(new Error(`no response in ${allowedMs / 1000} s`)),
        allowedMs,
      )
      const stop = () => fail(new Error('the request was ended'))
      const end = () => {
        clearTimeout(overallTimer)
        held?.signal.removeEventListener('abort', stop)
      }
      held?.signal.addEventListener('abort', stop)
      if (held?.signal.aborted) stop()
      // The timer of `request({ timeout })` does not run while Bun connects; the events of the socket are reliable.
      request.on('socket', (socket) => {
        for (const event of ['connect', 'secureConnect'])
          socket.once(event, () => clearTimeout(connectTimer))
      })
      request.on('error', fail)
      request.on('response', (response) => {
        clearTimeout(connectTimer)
        readBody(response, maxBytes).then((bytes) => {
          end()
          resolve({
            status: response.statusCode ?? 0,
            headers: flattenHeaders(response),
            body: bytes,
          })
        }, fail)
      })
      request.end(body)
    })
  }
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response) {
    parts.push(part)
    size += part.length
    if (size > maxBytes) throw new ResponseTooLarge(`The response has more than ${maxBytes} bytes`)
  }
  if (!response.complete) throw new Error('the response is incomplete')
  return Buffer.concat(parts)
}

const flattenHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
