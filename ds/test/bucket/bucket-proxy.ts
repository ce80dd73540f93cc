/** Stands before a bucket, and answers for it as a test wants. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/** Handles a request in its way; undefined: it is passed on. */
export type Act = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

export interface BucketProxy {
  readonly endpoint: string
  /** From now on; without one all is passed on. */
  act(act?: Act): void
  close(): Promise<void>
}

export async function startBucketProxy(to: string): Promise<BucketProxy> {
  let current: Act | undefined
  const server = createServer((incoming, outgoing) => {
    if (current?.(incoming, outgoing)) return
    pass(incoming, outgoing, to)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    act: (act) => {
      current = act
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** `change`: what is sent in place of each part of the body. */
export function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: string,
  change: (part: Uint8Array) => Uint8Array | undefined = (part) => part,
): void {
  const { method, url, headers } = incoming
  const forwarded = request(new URL(url ?? '/', to), { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 500, response.headers)
    if (method === 'HEAD') outgoing.end()
    response
      .on('data', (part: Uint8Array) => {
        const changed = change(part)
        if (changed) outgoing.write(changed)
        else outgoing.destroy()
      })
      .on('end', () => outgoing.end())
  })
  // Swift sends a body after the header of HEAD: what counts has come by then.
  forwarded.on('error', () => !outgoing.writableEnded && outgoing.destroy())
  incoming.on('error', () => forwarded.destroy())
  incoming.pipe(forwarded)
}
