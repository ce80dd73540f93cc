/** A server whose responses a test writes itself, apart from CORS: for responses that no connector sends. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'
import { origin } from './page.ts'

export interface ScriptedServer {
  readonly port: string
  /** Resolves with the first request for that path, at once when it came already. */
  waitForRequest(path: string): Promise<void>
}

export async function startScriptedServer(
  respond: (request: IncomingMessage, response: ServerResponse, path: string) => void,
): Promise<ScriptedServer> {
  const paths = new Map<string, PromiseWithResolvers<void>>()
  const getEntry = (path: string): PromiseWithResolvers<void> => {
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
    respond(request, response, path)
    getEntry(path).resolve()
  })
  const port = String(await listen(server))
  return { port, waitForRequest: (path) => getEntry(path).promise }
}

/** The body of `/info` from a connector that knows the page and does not sign. */
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
