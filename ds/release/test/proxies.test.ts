/** The samples for nginx and Caddy, as the real programs run them in front of the real service. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as sendRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { type Program, runProgram, startProgram } from '../../../test/bed/program.ts'
import { root } from '../../../test/bed/repository.ts'

interface Proxy {
  /** Writes the configuration; the commands that check it and that run it. */
  configure(ports: Ports): { readonly check: string[]; readonly run: string[] }
}
interface Ports {
  readonly http: number
  readonly https: number
  readonly service: string
}

let folder: string
let service: DistributionService
let [certificate, key] = ['', '']
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-proxy-'))
  // nginx keeps large bodies in it, as another account.
  chmodSync(folder, 0o755)
  ;[certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'],
      ...['-subj', '/CN=ds.example', '-addext', 'subjectAltName=DNS:ds.example'],
      ...['-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  )
  service = await startDistributionService(
    undefined,
    { DS_URL: 'https://ds.example' },
    { 'a/cardwire.deb': new Uint8Array(3_000_000) },
  )
})
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const readSample = (name: string) =>
  readFileSync(join(root, 'ds/release/files/proxy', name), 'utf8')

const nginx: Proxy = {
  configure({ http, https, service: upstream }) {
    const site = readSample('nginx.conf')
      .replaceAll(/listen (\[::\]:)?80;/g, (_, v6 = '127.0.0.1:') => `listen ${v6}${http};`)
      .replaceAll(/listen (\[::\]:)?443 /g, (_, v6 = '127.0.0.1:') => `listen ${v6}${https} `)
      .replace('/etc/ssl/certs/ds.example.pem', certificate)
      .replace('/etc/ssl/private/ds.example.key', key)
      .replaceAll('127.0.0.1:8080', upstream)
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

const caddy: Proxy = {
  configure({ http, https, service: upstream }) {
    const options = `{\nadmin off\nauto_https disable_certs\nhttp_port ${http}\nhttps_port ${https}\n}\n`
    const site = readSample('Caddyfile')
      .replace('ds.example {', `ds.example {\n\ttls ${certificate} ${key}`)
      .replaceAll('127.0.0.1:8080', upstream)
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, options + site)
    const names = ['--config', file, '--adapter', 'caddyfile']
    return { check: ['caddy', 'validate', ...names], run: ['caddy', 'run', ...names] }
  },
}

describe.each([
  ['nginx', nginx, /start worker process \d+/],
  ['Caddy', caddy, /serving initial configuration/],
] as const)('sample for %s', (_, proxy, ready) => {
  let program: Program
  let ports: Ports
  let checked: { readonly status: number | null; readonly err: string }
  beforeAll(async () => {
    const { host } = new URL(service.url)
    ports = { http: await findFreePort(), https: await findFreePort(), service: host }
    const { check, run } = proxy.configure(ports)
    const env = { PATH: '/usr/sbin:/usr/bin:/bin', HOME: folder }
    checked = await runProgram(check, { env })
    program = startProgram(run, { env })
    await program.waitForOutput(ready)
  })
  afterAll(() => program?.stopGroup())

  /** As a client with the address 127.0.0.2, which claims another. */
  async function send(method: string, path: string, headers: Record<string, string>, body = '') {
    const request = sendRequest({
      ...{ host: '127.0.0.1', port: ports.https, servername: 'ds.example', method, path },
      ...{ ca: readFileSync(certificate), localAddress: '127.0.0.2', agent: false },
      headers: { host: 'ds.example', 'x-forwarded-for': '198.51.100.1', ...headers },
    })
    const answered = new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject)
    })
    request.end(body)
    const response = await answered
    return { status: response.statusCode, text: await text(response), headers: response.headers }
  }
  const json = { 'content-type': 'application/json' }

  test('is valid, and passes requests on', async () => {
    expect([checked.status, checked.err]).toEqual([0, expect.not.stringContaining('[warn]')])
    expect((await send('GET', '/health', {})).status).toBe(200)
  })

  test('keeps browsers from plain http, and has the log-in shown over https', async () => {
    for (const path of ['/admin/login', '/admin/no-such-page', '/v3/installers/none.deb']) {
      const { headers } = await send('GET', path, {})
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    }
    expect((await send('GET', '/admin/login', {})).text).toContain('type="password"')
  })

  test('passes uploads of 1 MiB; the service refuses larger ones in its own form', async () => {
    const authorization = `Bearer ${await service.login()}`
    const name = JSON.stringify({ name: `Bank of uploads through ${ports.https}` })
    const put = (size: number) =>
      send('PUT', '/v3/organizations', { ...json, authorization }, name.padEnd(size))
    expect((await put(1024 * 1024)).status).toBeLessThan(300)
    const { status, text: body } = await put(1024 * 1024 + 1)
    expect(status).toBe(413)
    expect(JSON.parse(body)).toMatchObject({ success: false })
  })

  test('passes installers of many MiB', async () => {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': '9000000' }
    const authorization = `Bearer ${await service.login()}`
    const path = `/v3/installers/cardwire-${ports.https}.deb`
    const { status, text: body } = await send(
      'PUT',
      path,
      { ...headers, authorization },
      'x'.repeat(9_000_000),
    )
    expect([status, JSON.parse(body).data.size]).toEqual([201, 9_000_000])
  })

  test('the service sees the address of the client, whatever that claims', async () => {
    const authorization = `Bearer ${await service.login()}`
    const put = await send(
      'PUT',
      '/v3/organizations',
      { ...json, authorization },
      JSON.stringify({ name: `Bank behind ${ports.https}` }),
    )
    expect(put.status).toBeLessThan(300)
    const { text: audit } = await send('GET', '/v3/audit', { authorization })
    expect(audit).toContain('127.0.0.2')
    expect(audit).not.toContain('198.51.100.1')
  })

  test('passes downloads on, whole and in part', async () => {
    const authorization = `Bearer ${await service.login()}`
    const version = {
      ...{ id: '4.0.0', recommended: false, mandatory: false, allowed: true },
      uris: [{ os: 'UNIX', uri: 'file:///a/cardwire.deb' }],
    }
    const put = await send(
      'PUT',
      '/v3/versions',
      { ...json, authorization },
      JSON.stringify(version),
    )
    expect(put.status).toBeLessThan(300)
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
    const whole = await send('GET', '/v3/downloads/installer', agent)
    expect([whole.status, whole.text.length]).toEqual([200, 3_000_000])
    const part = await send('GET', '/v3/downloads/installer', { ...agent, range: 'bytes=0-99' })
    expect([part.status, part.text.length]).toEqual([206, 100])
  })
})
