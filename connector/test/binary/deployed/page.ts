/** A page in a browser as the connector sees it: its origin, its storage, preflights, and CORS over what it may read. */

import { request as httpsRequest } from 'node:https'
import type { Json } from '../../../../test/bed/service-request.ts'

export interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Of this machine. */
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly timeoutMs?: number
}

export interface Received {
  readonly status: number
  readonly text: string
  /** undefined: it is not JSON. */
  readonly json: Json
}

/** What a page is told when a request fails below HTTP, or when CORS keeps the answer from it. */
export class NetworkError extends Error {}

export interface Page {
  readonly origin: string
  /** localStorage of the origin. */
  readonly storage: Map<string, string>
  /** Every request without its preflight: `GET 51983 /info`. */
  readonly sent: string[]
  send(request: Sent): Promise<Received>
}

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Headers a page sends across origins without asking (Fetch standard, CORS-safelisted). */
const safelisted = ['accept', 'accept-language']

/** `trusted` are the roots of the browser, PEM. */
export function openPage(origin: string, trusted: readonly string[]): Page {
  const storage = new Map<string, string>()
  const sent: string[] = []
  const preflights = new Map<string, number>()

  const mayRead = ({ headers }: Raw) =>
    headers['access-control-allow-origin'] === origin &&
    headers['access-control-allow-credentials'] === 'true'

  async function preflight({ method, port, path, headers }: Sent): Promise<void> {
    const requestedHeaders = Object.keys(headers)
      .filter((name) => !safelisted.includes(name))
      .toSorted()
    const key = [method, port, path, ...requestedHeaders].join(' ')
    if ((preflights.get(key) ?? 0) > Date.now()) return
    const answer = await ask(trusted, {
      method: 'OPTIONS',
      port,
      path,
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': requestedHeaders.join(','),
      },
    })
    const list = (name: string) => String(answer.headers[name] ?? '').split(/\s*,\s*/)
    const allowed =
      answer.status < 300 &&
      mayRead(answer) &&
      list('access-control-allow-methods').includes(method) &&
      requestedHeaders.every((name) => list('access-control-allow-headers').includes(name))
    if (!allowed) throw new NetworkError(`CORS refuses ${method} ${path}`)
    const age = Number(answer.headers['access-control-max-age'] ?? 5)
    preflights.set(key, Date.now() + age * 1000)
  }

  return {
    origin,
    storage,
    sent,
    async send(request) {
      sent.push(`${request.method} ${request.port} ${request.path}`)
      await preflight(request)
      const answer = await ask(trusted, {
        ...request,
        headers: {
          ...request.headers,
          origin,
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'cors',
          'sec-fetch-dest': 'empty',
        },
      })
      if (!mayRead(answer)) throw new NetworkError(`CORS hides the answer of ${request.path}`)
      return { status: answer.status, text: answer.text, json: parsed(answer.text) }
    },
  }
}

function ask(
  trusted: readonly string[],
  {
    method,
    port,
    path,
    headers,
    body,
    timeoutMs = 60_000,
  }: Omit<Sent, 'method'> & { method: string },
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest({
      host: 'localhost',
      family: 4,
      port,
      path,
      method,
      headers,
      ca: [...trusted],
      agent: false,
    })
    const timer = setTimeout(() => request.destroy(new Error('timeout')), timeoutMs)
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(new NetworkError(error.message))
    }
    request.on('error', fail)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('error', fail)
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
