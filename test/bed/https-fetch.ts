/** `fetch` over TLS that trusts one root, with the headers that only a browser may set. */
import { request } from 'node:https'
import { Readable } from 'node:stream'

export const createHttpsFetch =
  (root: string): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers, body, signal } = init
      const outgoing = request(
        new URL(String(input)),
        {
          method,
          headers: Object.fromEntries(new Headers(headers)),
          ca: root,
          agent: false,
          ...(signal && { signal }),
        },
        (incoming) => {
          const { statusCode: status = 0, headers: received } = incoming
          // A response without content has no body (fetch.spec.whatwg.org, null body status).
          const content = status === 204 ? null : (Readable.toWeb(incoming) as ReadableStream)
          const pairs = Object.entries(received).map(([name, value]) => [name, String(value)])
          resolve(new Response(content, { status, headers: Object.fromEntries(pairs) }))
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
