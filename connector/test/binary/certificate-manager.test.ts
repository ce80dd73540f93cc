/** The six endpoints of the certificate manager over https on the compiled binary, and who may ask them. */

import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Connector,
  homePaths,
  runCommand,
  startConnector,
} from '../../../test/bed/connector.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { type HttpsRequestOptions, requestHttps } from '../../../test/bed/https-client.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'

const origin = 'https://shop.example'
const json = { 'content-type': 'application/json' }

let connector: Connector
let registry: { readonly CARDWIRE_REGISTRY_PORT: string }
let ca: string
beforeAll(async () => {
  registry = { CARDWIRE_REGISTRY_PORT: String(await findFreePort()) }
  connector = await startConnector({ CARDWIRE_CORS: origin, CARDWIRE_JWT: 'off', ...registry })
  ca = connector.ca
})
afterAll(() => connector?.stop())

/** The fingerprint of the leaf that is shown. */
async function served(): Promise<string> {
  const socket = connect({
    host: '127.0.0.1',
    port: connector.port,
    servername: 'localhost',
    rejectUnauthorized: true,
    ca,
  })
  await new Promise((resolve, reject) =>
    socket.once('secureConnect', resolve).once('error', reject),
  )
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256.replaceAll(':', '').toLowerCase()
}

/** Asks over TLS that trusts the root of the moment alone. */
const askApi = (path: string, options: HttpsRequestOptions = {}) =>
  requestHttps(connector.port, ca, path, { token: connector.token, ...options })
const ask = async (path: string, options: HttpsRequestOptions = {}) =>
  (await askApi(`/v3/certmgr/${path}`, options)).json
const post = (path: string, body: object = {}) =>
  ask(path, { method: 'POST', body: JSON.stringify(body), headers: json })

const changes: readonly (readonly [path: string, options: HttpsRequestOptions])[] = [
  ['install', { method: 'POST', body: '{}' }],
  ['renew', { method: 'POST', body: '{}' }],
  ['hosts', { method: 'POST', body: '{"hosts":[]}' }],
  ['uninstall', { method: 'DELETE' }],
]

describe.each(changes)('%s', (path, options) => {
  const request = (more: HttpsRequestOptions) =>
    askApi(`/v3/certmgr/${path}`, {
      ...options,
      ...more,
      headers: { ...json, ...more.headers },
    })

  test('is refused to a page, with whatever token', async () => {
    proves('certificate-changes-protected')
    for (const token of [connector.token, null]) {
      const { status, json: problem } = await request({ token, headers: { origin } })
      expect([status, problem.code]).toEqual([403, '104005'])
    }
  })

  test('is refused without the management token', async () => {
    proves('certificate-changes-protected')
    for (const token of [
      null,
      'nonsense',
      `${connector.token.slice(0, -1)}${connector.token.endsWith('A') ? 'B' : 'A'}`,
    ]) {
      const { status, json: problem } = await request({ token })
      expect([status, problem.code]).toEqual([401, '104025'])
    }
  })
})

describe('with the management token', () => {
  test('install has the stores of this user trust the root, and a name is verified then', async () => {
    proves('certificate-endpoints')
    expect((await ask('status/localhost')).data).toMatchObject({ verified: false, served: true })
    const { success, data } = await post('install')
    expect(success).toBe(true)
    expect(data).toMatchObject([
      { store: 'nss:.local/share/pki/nssdb', scope: 'user', trusted: true },
      { store: 'nss:.pki/nssdb', scope: 'user', trusted: true },
    ])
    expect((await ask('status')).data.trust).toEqual(data)
    expect((await ask('status/localhost')).data).toMatchObject({ verified: true, reasons: [] })
  })

  test('status shows validity, fingerprint, constraints, protection of the keys, and trust with the reason', async () => {
    const { root, leaf, protection, trust, folder, packages } = (await ask('status')).data
    for (const { certificate } of [root, leaf])
      expect(certificate).toMatchObject({
        notBefore: expect.stringMatching(/^20\d\d-/),
        notAfter: expect.stringMatching(/^20\d\d-/),
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
    expect(leaf.certificate.fingerprint).toBe(await served())
    expect(root.constraints.kind).toBe('full')
    expect(folder).toBe(homePaths(connector.home).certificates)
    expect(packages).toEqual(['cardwire'])
    expect(protection.map(({ access, private: alone }: Json) => [access, alone])).toEqual([
      ['0700', true],
      ['0600', true],
      ['0600', true],
    ])
    expect(trust.map(({ trusted }: Json) => trusted)).toEqual([true, true])
    await chmod(join(folder, 'localhost-key.pem'), 0o644)
    const profile = join(connector.home, '.mozilla/firefox/broken.default')
    await mkdir(profile, { recursive: true })
    await writeFile(join(profile, 'cert9.db'), 'this is no database')
    const now = (await ask('status')).data
    await rm(join(connector.home, '.mozilla'), { recursive: true })
    await chmod(join(folder, 'localhost-key.pem'), 0o600)
    expect(now.protection.at(-1)).toMatchObject({ access: '0644', private: false })
    expect(now.trust.at(-1)).toMatchObject({
      store: 'nss:.mozilla/firefox/broken.default',
      trusted: false,
      reason: expect.stringContaining('certutil'),
    })
  })

  test('hosts puts a name into the leaf, which is served without a restart', async () => {
    proves('certificate-endpoints')
    const before = await served()
    expect((await post('hosts', { hosts: ['reader.localhost'] })).data).toMatchObject({
      names: ['localhost', '127.0.0.1', '::1', 'reader.localhost'],
    })
    await expect.poll(served).not.toBe(before)
  })

  test('renew makes a leaf, which is served without a restart', async () => {
    proves('certificate-endpoints')
    const { data } = await post('renew')
    expect(data).toMatchObject({ renewed: true, rootReplaced: false, warnings: [] })
    await expect.poll(served).toBe(data.leaf.fingerprint)
  })

  test('a renewal by another process is served without a restart, too', async () => {
    proves('new-leaf-served')
    const before = await served()
    expect(runCommand(connector.home, ['certs', 'renew']).status).toBe(0)
    await expect.poll(served).not.toBe(before)
  })

  test('renew of the root, which is only made when asked for, warns, and is served without a restart', async () => {
    const before = (await ask('status')).data.root.certificate.fingerprint
    const { data } = await post('renew', { root: true })
    expect(data).toMatchObject({ renewed: true, rootReplaced: true })
    expect(data.warnings).toEqual([expect.stringMatching(/root/)])
    ca = await readFile(join(homePaths(connector.home).certificates, 'rootCA.pem'), 'utf8')
    await expect.poll(served).toBe(data.leaf.fingerprint)
    const { root } = (await ask('status')).data
    expect(root.certificate.fingerprint).not.toBe(before)
    expect((await ask('status/localhost')).data).toMatchObject({ verified: true })
  })

  test.each([
    ['without a content type', {}],
    ['of JSON', json],
  ])('an empty body %s is one without fields', async (_, headers) => {
    proves('certificate-endpoints')
    const send = (path: string) => askApi(`/v3/certmgr/${path}`, { method: 'POST', headers })
    expect((await send('install')).json).toMatchObject({ success: true })
    expect((await send('renew')).json.data).toMatchObject({ renewed: true, rootReplaced: false })
    const { status, json: problem } = await send('hosts')
    expect([status, problem.code]).toEqual([422, '106004'])
    expect(problem.description).toBe('Cannot accept the body: "hosts": missing')
  })

  test('what cannot be read is refused by name', async () => {
    const { status, json: problem } = await askApi('/v3/certmgr/hosts', {
      method: 'POST',
      body: '{"hosts":["https://a.example"]}',
      headers: json,
    })
    expect([status, problem.code]).toEqual([422, '106004'])
    expect(JSON.stringify(problem)).toContain('hosts[0]')
  })

  test('uninstall keeps what another package uses; then takes trust and files, and the API answers on', async () => {
    proves('uninstalled-root-restart', 'certificate-endpoints')
    const folder = homePaths(connector.home).certificates
    await writeFile(join(folder, 'packages.json'), '["cardwire","other"]')
    expect((await ask('uninstall', { method: 'DELETE' })).data).toMatchObject({
      removed: false,
      packages: ['other'],
    })
    await writeFile(join(folder, 'packages.json'), '["cardwire"]')
    const { data } = await ask('uninstall', { method: 'DELETE' })
    expect(data).toMatchObject({ removed: true, packages: [] })
    expect(data.trust.map(({ trusted }: { trusted: boolean }) => trusted)).toEqual([false, false])
    expect(await readdir(folder)).toEqual([])
    expect((await askApi('/v3/version')).status).toBe(200)
    expect((await ask('status')).data.root).toMatchObject({ state: 'absent' })
  })

  test('after an uninstall the commands say that the connector runs without its files, and to start it again', async () => {
    proves('uninstalled-root-restart')
    const settings = { CARDWIRE_DS_URL: 'http://127.0.0.1:9' }
    const what = `the connector on port ${connector.port}, because its certificates were uninstalled`
    const remedy = '→ end the process "cardwire run" and start it again'
    const synchronized = runCommand(connector.home, ['sync'], settings)
    expect([synchronized.status, synchronized.out]).toEqual([1, expect.stringContaining(what)])
    expect(synchronized.out).toContain(remedy)
    const examined = runCommand(connector.home, ['doctor'], registry)
    expect([examined.status, examined.out]).toEqual([1, expect.stringContaining(what)])
    expect(examined.out).toContain(remedy)
    expect(examined.out).not.toMatch(/connector is not running|another program/i)
  })
})
