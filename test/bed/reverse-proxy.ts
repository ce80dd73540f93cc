/** nginx and Caddy as Debian packs them, with a sample of the release on ports of their own, and requests to them. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as sendRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findFreePort } from './free-port.ts'
import { type Program, runProgram, startProgram } from './program.ts'
import { root } from './repository.ts'

export const proxyNames = ['nginx', 'Caddy'] as const
export type ProxyName = (typeof proxyNames)[number]

interface Place {
  readonly folder: string
  readonly certificate: string
  readonly key: string
  readonly http: number
  readonly https: number
}

interface Kind {
  /** Writes the configuration; the commands that check it and that run it. */
  configure(site: string, place: Place): { readonly check: string[]; readonly run: string[] }
  readonly ready: RegExp
}

const nginx: Kind = {
  ready: /start worker process \d+/,
  configure(sample, { folder, certificate, key, http, https }) {
    const site = sample
      .replaceAll(/listen (\[::\]:)?80;/g, (_, v6 = '127.0.0.1:') => `listen ${v6}${http};`)
      .replaceAll(/listen (\[::\]:)?443 /g, (_, v6 = '127.0.0.1:') => `listen ${v6}${https} `)
      .replace(/\/etc\/ssl\/certs\/\S+\.pem/, certificate)
      .replace(/\/etc\/ssl\/private\/\S+\.key/, key)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join('\n')
    const main = `daemon off;\npid ${folder}/pid;\nerror_log stderr notice;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}}\n`
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, main)
    const run = ['nginx', '-c', file]
    return { check: [...run, '-t'], run }
  },
}

const caddy: Kind = {
  ready: /serving initial configuration/,
  configure(sample, { folder, certificate, key, http, https }) {
    const options = `{\nadmin off\nauto_https disable_certs\nhttp_port ${http}\nhttps_port ${https}\n}\n`
    const site = sample.replace(/^(\S+\.example) \{/m, `$1 {\n\ttls ${certificate} ${key}`)
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, options + site)
    const names = ['--config', file, '--adapter', 'caddyfile']
    return { check: ['caddy', 'validate', ...names], run: ['caddy', 'run', ...names] }
  },
}

const kinds: Readonly<Record<ProxyName, Kind>> = { nginx, Caddy: caddy }

export interface ProxyRequest {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The address of the client, one of this machine. */
  readonly from?: string
}

export interface ReverseProxy {
  /** How the check of its configuration has ended. */
  readonly checked: { readonly status: number | null; readonly err: string }
  send(
    method: string,
    path: string,
    request?: ProxyRequest,
  ): Promise<{
    readonly status: number | undefined
    readonly text: string
    readonly headers: IncomingMessage['headers']
  }>
  stop(): Promise<void>
}

/** `sample`: a file of `ds/release/files/proxy`; `addresses`: what stands in it, and what is in that place here. */
export async function startReverseProxy(
  name: ProxyName,
  sample: string,
  host: string,
  addresses: Readonly<Record<string, string>>,
): Promise<ReverseProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-proxy-'))
  // nginx keeps large bodies in it, as another account.
  chmodSync(folder, 0o755)
  const place: Place = {
    ...{ folder, certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') },
    ...{ http: await findFreePort(), https: await findFreePort() },
  }
  createCertificate(host, place)
  const site = Object.entries(addresses).reduce(
    (written, [from, to]) => written.replaceAll(from, to),
    readFileSync(join(root, 'ds/release/files/proxy', sample), 'utf8'),
  )
  const { check, run } = kinds[name].configure(site, place)
  const env = { PATH: '/usr/sbin:/usr/bin:/bin', HOME: folder }
  const checked = await runProgram(check, { env })
  const program: Program = startProgram(run, { env })
  await program.waitForOutput(kinds[name].ready)
  const ca = readFileSync(place.certificate)
  return {
    checked,
    async send(method, path, { headers, body = '', from = '127.0.0.2' } = {}) {
      const request = sendRequest({
        ...{ host: '127.0.0.1', port: place.https, servername: host, method, path },
        ...{ ca, localAddress: from, agent: false },
        headers: { host, ...headers },
      })
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve).once('error', reject)
      })
      request.end(body)
      const response = await answered
      return { status: response.statusCode, text: await text(response), headers: response.headers }
    },
    async stop() {
      await program.stopGroup()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function createCertificate(host: string, { certificate, key }: Place): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'],
      ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
      ...['-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  )
}
