/** A public web server as a proxy before the back end: https under a host name with a certificate of its own root. */
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { createIdentity, trustRoots } from '../../../test/bed/certificates.ts'

export const host = 'shop.example'

export interface PublicWebServer {
  readonly port: number
  /** The flags by which the browser treats it as a server on the internet. */
  readonly flags: readonly string[]
  /** Forwards requests to this port of the machine from now on. */
  forwardTo(port: number): void
  stop(): Promise<void>
}

/** `home`: the home folder in which browsers trust the root. */
export async function startPublicWebServer(home: string): Promise<PublicWebServer> {
  const { root, key, cert } = await createIdentity(host)
  // Chromium reads the older one where there is one.
  for (const place of ['.local/share/pki/nssdb', '.pki/nssdb']) {
    await trustRoots(join(home, place), [root])
  }
  let target = 0
  const server = createServer({ key, cert }, (incoming, answer) => {
    const { method, url: path, headers } = incoming
    const sent = request({ host: '127.0.0.1', port: target, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    sent.once('error', () => answer.destroy())
    incoming.pipe(sent)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('Cannot learn the port')
  return {
    port: address.port,
    flags: [
      `--host-resolver-rules=MAP ${host} 127.0.0.1`,
      `--ip-address-space-overrides=127.0.0.1:${address.port}=public`,
    ],
    forwardTo(port) {
      target = port
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
