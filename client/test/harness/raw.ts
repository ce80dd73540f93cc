/** A server that answers as a test wants, CORS apart: for what no connector would ever send. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'
import { origin } from './page.ts'

export interface RawServer {
  readonly port: string
  /** Resolves with the first request for that path, at once when it came already. */
  came(path: string): Promise<void>
}

export async function startRaw(
  answer: (request: IncomingMessage, response: ServerResponse, path: string) => void,
): Promise<RawServer> {
  const paths = new Map<string, PromiseWithResolvers<void>>()
  const at = (path: string): PromiseWithResolvers<void> => {
    const known = paths.get(path) ?? Promise.withResolvers<void>()
    paths.set(path, known)
    return known
  }
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-allow-headers', [
      'x-csrf-token, x-t1c-billing-tag, authorization, content-type',
    ])
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    answer(request, response, path)
    at(path).resolve()
  })
  const port = String(await listen(server))
  return { port, came: (path) => at(path).promise }
}

/** The answer of a connector that knows the page and does not sign, to have something to begin with. */
export const info = JSON.stringify({
  success: true,
  data: {
    t1CInfoAPI: {
      service: { deviceType: 'API', dsRegistryActivated: false },
      version: '4.0.0',
      status: 'ACTIVATED',
      optionalConsent: false,
    },
    t1CInfoUser: { hostName: 'desk-7' },
  },
})
export const noKey = JSON.stringify({ success: true, data: null })
