/** Requests to a connector over TLS, and the responses. */
import { request } from 'node:https'
import { type Json, parseJson } from './service-request.ts'

export interface HttpsRequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly host?: string
  /** The header that every client sends; null leaves it out. */
  readonly csrf?: string | null
  /** The bearer token; null sends none. Default: the management token. */
  readonly token?: string | null
}

export interface HttpsResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly bytes: Buffer
  readonly json: Json
}

/**
 * Sends a request over TLS that trusts only the given root. As browsers do, it sends again what met a kept connection that
 * the server was just closing.
 */
export function requestHttps(
  port: number,
  ca: string,
  path: string,
  options: HttpsRequestOptions,
): Promise<HttpsResponse> {
  const headers: Record<string, string> = { ...options.headers }
  if (options.csrf !== null) headers['x-csrf-token'] = options.csrf ?? 't1c-js'
  if (options.token != null) headers['authorization'] = `Bearer ${options.token}`
  if (options.host !== undefined) headers['host'] = options.host
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        headers,
        ca,
        servername: 'localhost',
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part) => parts.push(part))
        response.on('end', () => {
          const bytes = Buffer.concat(parts)
          const text = bytes.toString()
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            bytes,
            json: parseJson(text),
          })
        })
        response.on('error', reject)
      },
    )
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && error.code === 'ECONNRESET')
        resolve(requestHttps(port, ca, path, options))
      else reject(error)
    })
    outgoing.end(options.body)
  })
}
