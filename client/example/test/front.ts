/** A public web server before the back end: https under a name of its own, certified by an authority of its own. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'

export const host = 'shop.example'

export interface Front {
  readonly port: number
  /** What makes the browser take the front for a server on the internet. */
  readonly flags: readonly string[]
  /** From here on requests go to this port of the machine. */
  leadTo(port: number): void
  stop(): Promise<void>
}

/** `home`: whose browser believes the authority. */
export async function startFront(folder: string, home: string): Promise<Front> {
  const { key, cert } = certify(join(folder, 'front'), home)
  let target = 0
  const server = createServer({ key, cert }, (asked, answer) => {
    const { method, url: path, headers } = asked
    const sent = request({ host: '127.0.0.1', port: target, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    sent.once('error', () => answer.destroy())
    asked.pipe(sent)
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
    leadTo(port) {
      target = port
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function certify(folder: string, home: string) {
  mkdirSync(folder)
  const path = (name: string) => join(folder, name)
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30']
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Authority',
  )
  writeFileSync(path('san'), `subjectAltName=DNS:${host}\nextendedKeyUsage=serverAuth\n`)
  openssl(
    'req',
    ...newKey.slice(0, -2),
    '-keyout',
    'key.pem',
    '-out',
    'csr',
    '-subj',
    `/CN=${host}`,
  )
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'san']
  openssl('x509', '-req', '-in', 'csr', ...by, '-days', '30', '-out', 'cert.pem')

  // Chromium reads the older one where there is one.
  for (const place of ['.local/share/pki/nssdb', '.pki/nssdb']) {
    const database = join(home, place)
    mkdirSync(database, { recursive: true })
    const certutil = (...args: readonly string[]) =>
      execFileSync('certutil', [...args, '-d', `sql:${database}`])
    certutil('-N', '--empty-password')
    certutil('-A', '-t', 'C,,', '-n', 'Authority', '-i', path('ca.pem'))
  }
  return { key: readFileSync(path('key.pem')), cert: readFileSync(path('cert.pem')) }
}
