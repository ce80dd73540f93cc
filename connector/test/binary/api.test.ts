/** Who may ask the API, check by check, on the compiled binary. */

import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { arch, hostname, release, tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type Connector,
  createHome,
  homePaths,
  startConnector,
} from '../../../test/bed/connector.ts'
import { requestHttps } from '../../../test/bed/https-client.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { createTokenSigner, type TokenSigner } from '../../../test/bed/token-signer.ts'

const origin = 'https://shop.example'
/** The runtime of the binary: the one that builds it. */
const bunVersion = createRequire(import.meta.url)('bun/package.json').version

test('the stream of events begins with a card service that is down, where there is none', async () => {
  proves('card-service-down-reported')
  const without = await startConnector({ CARDWIRE_PCSC_LIBRARY: '/nowhere/libpcsclite.so.1' })
  onTestFinished(() => without.stop())
  const options = { port: without.port, ca: without.ca, servername: 'localhost' }
  const stream = get({
    ...options,
    host: '127.0.0.1',
    path: '/v3/readers/events',
    headers: { 'x-csrf-token': 't1c-js', authorization: `Bearer ${without.token}` },
  })
  const [response] = await once(stream, 'response')
  const [first] = await once(response, 'data')
  response.destroy()
  const data = /^data: (.*)$/m.exec(String(first))?.[1] ?? ''
  expect(JSON.parse(data)).toMatchObject({
    type: 'snapshot',
    readers: [],
    cardService: { state: 'down', reason: expect.stringContaining('/nowhere/libpcsclite.so.1') },
  })
})

describe('API', () => {
  let connector: Connector
  let folder: string
  let signer: TokenSigner

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-jwks-'))
    signer = await createTokenSigner(folder)
    connector = await startConnector({
      CARDWIRE_CORS: `${origin}, https://*.shops.example`,
      CARDWIRE_JWKS: signer.jwks,
      CARDWIRE_LOG_LEVEL: 'debug',
      CARDWIRE_VIRTUAL_READER: join(folder, 'card'),
      TMPDIR: folder,
      TZ: 'Pacific/Auckland',
      // No more than a variable: the name is that of the account.
      USER: 'ada',
      LANG: 'nl_BE.UTF-8',
    })
  })
  afterAll(async () => {
    await connector?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const token = (claims: object = {}, header: object = {}, lifetimeS = 600) =>
    signer.token(lifetimeS, 0, claims, header)

  const hasLeave = (headers: Readonly<Record<string, unknown>>) =>
    headers['access-control-allow-origin'] !== undefined

  describe('host name', () => {
    test.each(['localhost', 'LOCALHOST.', '127.0.0.1', '[::1]', 'localhost:51983'])(
      '%s is answered',
      async (host) => {
        expect((await connector.request('/v3/version', { host })).status).toBe(200)
      },
    )

    test.each(['evil.example', 'localhost.evil.example', '127.0.0.2', 'rebound.test:443'])(
      '"%s" is refused without CORS headers',
      async (host) => {
        proves('connector-rebinding')
        const { status, headers, json } = await connector.request('/v3/version', {
          host,
          headers: { origin },
        })
        expect([status, json.code]).toEqual([421, '104001'])
        expect(hasLeave(headers)).toBe(false)
      },
    )
  })

  describe('origin', () => {
    test.each([origin, 'https://a.shops.example', 'https://a.b.shops.example'])(
      '%s gets CORS headers, on failures too',
      async (allowed) => {
        const { status, headers, json } = await connector.request('/v3/readers', {
          headers: { origin: allowed },
          token: null,
        })
        expect([status, json.code]).toEqual([401, '104025'])
        expect(headers['access-control-allow-origin']).toBe(allowed)
        expect(headers['access-control-allow-credentials']).toBe('true')
        expect(headers['vary']).toBe('Origin')
        expect(headers['cache-control']).toBe('no-store')
      },
    )

    test.each(['null', 'https://evil.example', 'http://shop.example', 'https://shops.example'])(
      '%s is refused without CORS headers',
      async (refused) => {
        proves('allowlist-enforced', 'page-not-listed')
        const { status, headers, json } = await connector.request('/info', {
          headers: { origin: refused },
        })
        expect([status, json.code]).toEqual([403, '104002'])
        expect(hasLeave(headers)).toBe(false)
        await expect.poll(() => connector.output()).toContain('origin refused')
      },
    )

    test('preflight is answered without token or header, with what clients need and nothing else', async () => {
      const { status, headers, text } = await connector.request('/v3/readers', {
        method: 'OPTIONS',
        csrf: null,
        token: null,
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers':
            'X-CSRF-Token, authorization, x-evil, x-pace-pin, x-xsrf-token',
        },
      })
      expect([status, text]).toEqual([204, ''])
      expect(headers['access-control-allow-headers']).toBe(
        'x-csrf-token, authorization, x-pace-pin, x-xsrf-token',
      )
      expect(headers['access-control-allow-methods']).toBe('GET, POST, PUT, PATCH, DELETE')
      expect(headers['access-control-max-age']).toBe('600')
    })

    test('page with a token but without consent learns that consent is required', async () => {
      proves('api-needs-consent', 'page-without-consent')
      const { status, json } = await connector.request('/v3/readers', {
        headers: { origin },
        token: await token(),
      })
      expect([status, json.code]).toEqual([403, '814501'])
    })

    test('management token in a page opens nothing', async () => {
      proves('management-called')
      const { status, json } = await connector.request('/v3/readers', { headers: { origin } })
      expect([status, json.code]).toEqual([401, '104025'])
    })
  })

  test.each(['cross-site', 'same-site', 'same-origin'])(
    'page that names no origin (%s) is refused',
    async (site) => {
      proves('request-without-origin')
      const { status, json } = await connector.request('/info', {
        headers: { 'sec-fetch-site': site },
      })
      expect([status, json.code]).toEqual([403, '104003'])
    },
  )

  test.each([null, 'other', ''])('X-CSRF-Token %s is refused, with CORS headers', async (csrf) => {
    proves('csrf-headers', 'request-without-origin')
    const { status, headers, json } = await connector.request('/info', {
      csrf,
      headers: { origin },
    })
    expect([status, json.code]).toEqual([403, '104004'])
    expect(hasLeave(headers)).toBe(true)
  })

  describe('bad requests', () => {
    const post = (body: string, contentType: string, headers: Record<string, string> = {}) =>
      connector.request('/v3/modules/x509/pem', {
        method: 'POST',
        body,
        headers: { 'content-type': contentType, ...headers },
      })

    test.each([
      ['a route that is not there', () => connector.request('/v3/nowhere'), 404, '112999'],
      ['plain text', () => post('{}', 'text/plain'), 415, '106003'],
      ['text that is not JSON', () => post('{', 'application/json'), 400, '106001'],
      ['a body without its field', () => post('{}', 'application/json'), 422, '106004'],
      [
        'a body over 1 MiB',
        () => post(JSON.stringify({ cert: 'x'.repeat(1_100_000) }), 'application/json'),
        413,
        '106002',
      ],
      [
        'a header over 16 kB',
        () => connector.request('/v3/version', { headers: { 'x-long': 'x'.repeat(17_000) } }),
        431,
        '106005',
      ],
      [
        'a header far over it',
        () => connector.request('/v3/version', { headers: { 'x-long': 'x'.repeat(40_000) } }),
        431,
        '106005',
      ],
      ['a wrong query', () => connector.request('/v3/readers?cardInserted=yes'), 422, '106004'],
      ['an unknown query', () => connector.request('/v3/readers?cardinserted=true'), 422, '106004'],
      ['an unknown module', () => connector.request('/v3/modules/nothing'), 404, '411001'],
      [
        'deleting a type of file exchange, by a program, which has none,',
        () =>
          connector.request('/v3/modules/fileexchange/apps/file/delete-type', {
            method: 'POST',
            body: '{"entity":"shop","type":"nothing"}',
            headers: { 'content-type': 'application/json' },
          }),
        403,
        '104005',
      ],
    ])('%s is answered with a problem', async (_, ask, status, code) => {
      proves('csrf-headers', 'unknown-file-type-refused', 'large-requests')
      const answer = await ask()
      expect([answer.status, answer.json?.code]).toEqual([status, code])
      expect(answer.json).toMatchObject({ success: false, description: expect.any(String), status })
      expect(answer.headers['content-type']).toBe('application/problem+json')
    })

    test('what is no HTTP ends the connection, and the next request is answered', async () => {
      const socket = connect(connector.port, '127.0.0.1')
      socket.write('HELLO\r\n\r\n')
      await new Promise((closed) => socket.once('close', closed).resume())
      expect((await connector.request('/v3/version')).status).toBe(200)
    })
  })

  describe('tokens', () => {
    test('JWT of the key set lets a program in', async () => {
      expect(
        (await connector.request('/v3/version', { token: await token() })).json.data.version,
      ).toMatch(/^4\./)
    })

    test('tokens that are missing, expired, of another kind or forged are refused with 401', async () => {
      proves('api-needs-jwt', 'expired-jwt-refused', 'own-program-calls')
      const other = await generateKeyPair('ES256')
      const forged = await new SignJWT({ sub: 'shop', aud: 'cardwire-connector' })
        .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'cw-app+jwt' })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(other.privateKey)
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const tokens = [
        null,
        '',
        'undefined',
        'nonsense',
        forged,
        await token({}, {}, -60),
        await token({ aud: 'cardwire-ds' }),
        await token({}, { typ: 'at+jwt' }),
        await token({}, { kid: 'two' }),
        `${part({ alg: 'none', typ: 'cw-app+jwt' })}.${part({ sub: 'shop', aud: 'cardwire-connector', iat: 1, exp: 9999999999 })}.`,
        `${connector.token.slice(0, -1)}${connector.token.endsWith('A') ? 'B' : 'A'}`,
      ]
      for (const each of tokens) {
        const { status, json } = await connector.request('/v3/version', { token: each })
        expect([status, json.code]).toEqual([401, '104025'])
      }
    })

    test('management asks for the management token, and never from a page', async () => {
      proves('management-called')
      const install = (options: object) =>
        connector.request('/v3/certmgr/renew', { method: 'POST', body: '{}', ...options })
      const json = { 'content-type': 'application/json' }
      expect((await install({ headers: json, token: await token() })).status).toBe(401)
      const page = await install({ headers: { ...json, origin } })
      expect([page.status, page.json.code]).toEqual([403, '104005'])
    })

    test.each(['/v3/certmgr/status', '/v3/certmgr/status/evil.example', '/logs/push', '/v3/sync'])(
      '%s is for the management token, and never for a page',
      async (path) => {
        proves('management-called')
        expect((await connector.request(path, { token: await token() })).status).toBe(401)
        for (const own of [connector.token, await token()]) {
          const page = await connector.request(path, { token: own, headers: { origin } })
          expect([page.status, page.json.code]).toEqual([403, '104005'])
          expect(page.json.description).toContain('programs on this computer')
          expect(page.headers['access-control-allow-origin']).toBe(origin)
        }
      },
    )

    test.runIf(process.getuid?.() === 0)(
      'process of another user is refused, with whatever token',
      async () => {
        const body = `
        require('node:https').get({ host: '127.0.0.1', port: ${connector.port}, path: '/v3/version', ca: process.env.CA,
          servername: 'localhost', headers: { 'x-csrf-token': 't1c-js', authorization: 'Bearer ${connector.token}' } },
          (response) => { response.on('data', (part) => process.stdout.write(part)); })`
        const node = await mkdtemp(join(tmpdir(), 'cardwire-other-'))
        spawnSync('cp', ['-L', process.execPath, join(node, 'node')])
        spawnSync('chmod', ['-R', '755', node])
        const { stdout } = spawnSync(join(node, 'node'), ['-e', body], {
          uid: 65534,
          gid: 65534,
          env: { CA: connector.ca },
          cwd: '/',
          encoding: 'utf8',
        })
        await rm(node, { recursive: true })
        expect(JSON.parse(stdout).code).toBe('104006')
      },
    )
  })

  describe('information', () => {
    test('/info has its fields at the top and in data, and is PROXY for a page without consent', async () => {
      proves('page-without-consent')
      const { status, json } = await connector.request('/info', {
        headers: { origin },
        token: null,
      })
      expect(status).toBe(200)
      expect(json.success).toBe(true)
      expect(json.t1CInfoAPI).toEqual(json.data.t1CInfoAPI)
      expect(json.data.t1CInfoAPI).toMatchObject({
        service: { deviceType: 'PROXY', dsRegistryActivated: false },
        status: 'ACTIVATED',
        optionalConsent: false,
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      })
      expect(json.data.t1CInfoUser).toEqual({ hostName: 'localhost' })
      for (const secret of ['username', 'home', 'cors', 'modules'])
        expect(JSON.stringify(json)).not.toContain(`"${secret}"`)
    })

    test('root certificate names the account, whatever USER says, and the machine', () => {
      proves('user-locale')
      const { issuer } = new X509Certificate(connector.ca)
      expect(issuer.split('\n')).toContain(`OU=${userInfo().username}@${hostname()}`)
    })

    test('/info shows a program of this user every field', async () => {
      proves('api-info')
      await expect.poll(connector.output).toContain('registry found')
      const { json } = await connector.request('/info')
      const { t1CInfoAPI } = json.data
      const { pid } = t1CInfoAPI.sandbox
      expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).toContain('sandbox')
      const registryPid = t1CInfoAPI.registry.pid
      expect(await readFile(`/proc/${registryPid}/cmdline`, 'utf8')).toContain('registry')
      const key = createPublicKey((await connector.request('/device-key')).json.data)
      const hash = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }))
      // RFC 9562: a UUID of version 8 holds what its maker likes.
      const deviceId = hash
        .digest('hex')
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
      const { dateTime } = json.data.t1CInfoRuntime
      expect(dateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      expect(Math.abs(Date.parse(dateTime) - Date.now())).toBeLessThan(60_000)
      const info = {
        t1CInfoAPI: {
          service: {
            url: 'https://localhost',
            apiPort: String(connector.port),
            gRpcPort: '0',
            deviceType: 'API',
            dsRegistryActivated: false,
          },
          activated: true,
          status: 'ACTIVATED',
          environment: 'PROD',
          uid: deviceId,
          modules: [
            'x509',
            'fileexchange',
            'rawprint',
            'piv',
            'beid',
            'openpgp',
            'emv',
            'remoteloading',
            'pkcs11',
          ],
          cors: [origin, 'https://*.shops.example'],
          version: '4.0.0',
          logLevel: 'debug',
          jwtEnabled: true,
          optionalConsent: false,
          sandbox: { pid, pcsc: 'up' },
          registry: { state: 'linked', pid: registryPid },
        },
        t1CInfoUser: {
          timezone: 'Pacific/Auckland',
          country: 'BE',
          language: 'nl',
          home: connector.home,
          tempDir: folder,
          name: userInfo().username,
          username: userInfo().username,
          hostName: hostname(),
          installedDir: dirname(connectorProgram),
        },
        t1CInfoOS: { architecture: arch(), os: 'linux', version: release(), platform: 'linux' },
        t1CInfoJava: { runtime: `Bun ${bunVersion}`, spec: 'none', java: 'none' },
        t1CInfoRuntime: { runtime: 'bun', desktop: false, version: bunVersion, dateTime },
      }
      expect(json).toEqual({
        success: true,
        data: info,
        ...info,
        signature: expect.stringMatching(/^[A-Za-z0-9+/]{342}==$/),
      })
    })

    test('/v3/modules lists the modules of this system, and /v3/modules/{id} shows one as it is listed', async () => {
      proves('modules-listed')
      const x509 = {
        id: 'x509',
        version: '1.0.0',
        description: 'Reads X.509 certificates',
        systems: ['windows', 'macos', 'linux'],
        cards: false,
      }
      const files = {
        ...{ ...x509, id: 'fileexchange' },
        description: 'Reads and writes files in folders that the user has chosen for a page',
      }
      const rawPrint = {
        ...{ ...x509, id: 'rawprint' },
        description:
          'Prints data in the language of a printer, for pages that the administrator allows',
      }
      const piv = {
        id: 'piv',
        version: '1.0.0',
        description: 'Cards with the PIV application (NIST SP 800-73-4)',
        systems: ['windows', 'macos', 'linux'],
        cards: true,
      }
      const beid = {
        ...{ ...piv, id: 'beid' },
        description: 'Belgian identity cards (applets 1.7 and 1.8)',
      }
      const openpgp = {
        ...{ ...piv, id: 'openpgp' },
        description: 'Cards with the OpenPGP application (version 2 and 3)',
      }
      const emv = { ...{ ...piv, id: 'emv' }, description: 'Payment cards (EMV)' }
      const remoteLoading = {
        ...{ ...x509, id: 'remoteloading' },
        description: 'Commands to cards, for pages that the administrator allows',
      }
      const pkcs11 = {
        ...{ ...piv, id: 'pkcs11' },
        description: 'Tokens of the PKCS #11 libraries that the administrator names',
      }
      expect((await connector.request('/v3/modules')).json.data).toEqual([
        ...[x509, files, rawPrint, piv, beid, openpgp, emv, remoteLoading, pkcs11],
      ])
      expect((await connector.request('/v3/modules/x509')).json.data).toEqual(x509)
    })

    test.each([
      ['3B8D800180FBA000000308000010000100CD', ['piv']],
      ['3B9813400AA503010101AD1311', ['beid']],
      // That of Belgian cards of applet 1.8, and of other cards with such a chip.
      ['3B7F96000080318065B085040120120FFF829000', []],
      ['3B951381018073FF01000B', []],
    ])('/v3/modules?atr=%s lists the modules that handle this card', async (atr, ids) => {
      proves('card-module-field', 'modules-listed')
      const { status, json } = await connector.request(`/v3/modules?atr=${atr}`)
      expect([status, json.data.map(({ id }: { id: string }) => id)]).toEqual([200, ids])
    })

    test('answers are signed with the device key over data as JavaScript writes it', async () => {
      const key = await connector.request('/device-key', { token: null })
      const publicKey = createPublicKey(key.json.data)
      expect(publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048)
      for (const path of ['/info', '/v3/version', '/v3/modules', '/device-key']) {
        const { json } = await connector.request(path)
        const signed = Buffer.from(JSON.stringify(json.data))
        expect(verify('sha256', signed, publicKey, Buffer.from(json.signature, 'base64'))).toBe(
          true,
        )
      }
    })

    test('device certificate holds the device key', async () => {
      proves('api-info')
      const { json } = await connector.request('/v3/device/certificate')
      const certificate = new X509Certificate(json.data.certificate)
      const key = await connector.request('/device-key')
      expect(certificate.publicKey.export({ type: 'spki', format: 'pem' })).toBe(key.json.data)
      expect(certificate.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(
        json.data.fingerprint,
      )
    })

    test('/v3/browser returns the browser of the request', async () => {
      proves('browser-info')
      const agent =
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
      const { json } = await connector.request('/v3/browser', { headers: { 'user-agent': agent } })
      expect(json.data).toMatchObject({ name: 'Chrome', os: { name: 'Windows' }, mobile: false })
    })

    test('/logs/push fails where no service is configured', async () => {
      const { status, json } = await connector.request('/logs/push')
      expect([status, json.code]).toEqual([409, '113001'])
    })
  })

  test('it is served on 127.0.0.1 and ::1, with a certificate that verifies', async () => {
    for (const host of ['127.0.0.1', '::1']) {
      const socket = connectTls({
        host,
        port: connector.port,
        ca: connector.ca,
        servername: 'localhost',
      })
      await new Promise((resolve, reject) =>
        socket.once('secureConnect', resolve).once('error', reject),
      )
      expect(socket.authorized).toBe(true)
      socket.destroy()
    }
  })

  test('runtime folder and its files are the owner’s alone', async () => {
    const { runtime } = homePaths(connector.home)
    expect((await stat(runtime)).mode & 0o777).toBe(0o700)
    for (const name of ['management-token', 'api-port', 'page-key.pem']) {
      expect((await stat(join(runtime, name))).mode & 0o777).toBe(0o600)
    }
  })

  test('no token, key, PIN or password that was sent is in the logs', async () => {
    proves('file-logging-default', 'connector-log-secrets')
    const jwt = await token()
    const pin = '918273645'
    await connector.request(`/v3/readers?pin=${pin}`, { token: jwt })
    await connector.request('/v3/modules/x509/pem', {
      method: 'POST',
      body: `{"pin":"${pin}"`,
      headers: { 'content-type': 'application/json', cookie: `s=${pin}`, 'x-pace-pin': pin },
    })
    await connector.request(`/agents/consent/::t1c::miksa::${pin}`)
    const last = await connector.request('/v3/nowhere')
    const id = last.json.instance.replace('urn:uuid:', '')
    const read = () => readFile(join(homePaths(connector.home).logs, 'api.log'), 'utf8')
    await expect.poll(read).toContain(id)
    for (const secret of [jwt, pin, connector.token]) {
      expect(await read()).not.toContain(secret)
      expect(connector.output()).not.toContain(secret)
    }
  })

  test('/v3/certmgr/renew makes another leaf, and it is served without a restart', async () => {
    const served = async () => {
      const socket = connectTls({
        host: '127.0.0.1',
        port: connector.port,
        ca: connector.ca,
        servername: 'localhost',
      })
      await new Promise((resolve, reject) =>
        socket.once('secureConnect', resolve).once('error', reject),
      )
      const { fingerprint256 } = socket.getPeerCertificate()
      socket.destroy()
      return fingerprint256.replaceAll(':', '').toLowerCase()
    }
    const before = await served()
    const body = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    const { json } = await connector.request('/v3/certmgr/renew', body)
    expect(json.data).toMatchObject({ renewed: true, rootReplaced: false })
    await expect.poll(served).toBe(json.data.leaf.fingerprint)
    expect(json.data.leaf.fingerprint).not.toBe(before)
    expect((await connector.request('/v3/version')).status).toBe(200)
  })

  test('/v3/certmgr/hosts takes names that the root may sign for, and they are answered from then on', async () => {
    const set = (hosts: string[]) =>
      connector.request('/v3/certmgr/hosts', {
        method: 'POST',
        body: JSON.stringify({ hosts }),
        headers: { 'content-type': 'application/json' },
      })
    const name = 'reader.localhost'
    expect((await connector.request('/v3/version', { host: name })).status).toBe(421)
    expect((await set([name])).json.data).toMatchObject({
      names: expect.arrayContaining([name]),
      needsRoot: [],
    })
    await expect
      .poll(async () => (await connector.request('/v3/version', { host: name })).status)
      .toBe(200)
    const outside = await set(['reader.example.org'])
    expect(outside.json.data).toMatchObject({ needsRoot: ['reader.example.org'] })
    // A name that is taken back leaves with the next leaf.
    await set([])
    const renewed = await connector.request('/v3/certmgr/renew', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(renewed.json.data.leaf.names).toEqual(['localhost', '127.0.0.1', '::1'])
    await expect
      .poll(async () => (await connector.request('/v3/version', { host: name })).status)
      .toBe(421)
  })

  test('/v3/certmgr/status shows files, names, constraints and stores, and whether one name is verified', async () => {
    const { json } = await connector.request('/v3/certmgr/status')
    expect(json.data).toMatchObject({
      root: {
        state: 'good',
        constraints: { kind: 'full', dns: ['localhost'], ip: ['127.0.0.1', '::1'] },
      },
      leaf: { state: 'good', certificate: { names: ['localhost', '127.0.0.1', '::1'] } },
      files: expect.arrayContaining([{ name: 'rootCA.pem', present: true }]),
    })
    expect(JSON.stringify(json)).not.toContain('PRIVATE KEY')
    const domain = await connector.request('/v3/certmgr/status/localhost')
    expect(domain.json.data).toMatchObject({
      covered: true,
      loopback: true,
      served: true,
      verified: false,
    })
    const other = await connector.request('/v3/certmgr/status/evil.example')
    expect(other.json.data).toMatchObject({ covered: false, permitted: false })
  })

  test('management token is made anew at each start', async () => {
    proves('own-program-calls')
    const at = await createHome()
    const first = await startConnector({}, at)
    await first.stop()
    const again = await startConnector({}, at)
    expect(again.token).not.toBe(first.token)
    const old = await requestHttps(again.port, again.ca, '/v3/version', { token: first.token })
    expect(old.status).toBe(401)
    await again.stop()
    await rm(at, { recursive: true, force: true })
  })
})

/** Runs `cardwire run` to its end. */
function runToEnd(home: string, settings: Readonly<Record<string, string>>) {
  const env = createEnvironment(home, settings)
  const { status, stderr } = spawnSync(connectorProgram, ['run'], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stderr }
}

describe('start that cannot be', () => {
  let home: string
  beforeAll(async () => {
    home = await createHome()
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  test('without certificates is logged and ends with exit status 1', async () => {
    proves('certificate-failure-at-start')
    await writeFile(join(home, 'file'), '')
    const { status, stderr } = runToEnd(home, { XDG_DATA_HOME: join(home, 'file') })
    expect(status).toBe(1)
    expect(stderr).toMatch(/cannot start/)
    expect(await readFile(join(homePaths(home).logs, 'api.log'), 'utf8')).toContain('cannot start')
  })

  test('with its own certificates switched off and no keystore reports it', () => {
    const { status, stderr } = runToEnd(home, { CARDWIRE_LOCAL_CA: 'off' })
    expect([status, stderr]).toEqual([1, expect.stringContaining('CARDWIRE_LOCAL_CA is off')])
  })

  test('with every port of the range taken uses another one, and names the holder', async () => {
    proves('port-range-full', 'api-ports-taken')
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const address = holder.address()
    const port = address && typeof address === 'object' ? address.port : 0
    const connector = await startConnector({ CARDWIRE_API_PORTS: `${port}-${port}` }, home)
    onTestFinished(async () => {
      holder.close()
      await connector.stop()
    })
    expect(connector.port).not.toBe(port)
    await connector.waitForOutput(
      new RegExp(
        `every port of the range is taken.* range=${port}-${port} .*process ${process.pid},`,
      ),
    )
    expect((await connector.request('/v3/version')).status).toBe(200)
  })

  test.each([
    ['an unknown setting', { CARDWIRE_CROS: 'x' }, 'CARDWIRE_CROS (environment): unknown setting'],
    ['a setting that cannot be', { CARDWIRE_JWT: 'maybe' }, 'CARDWIRE_JWT (environment): '],
  ])('with %s is refused by name, with exit status 2', (_, settings, message) => {
    const { status, stderr } = runToEnd(home, settings as Record<string, string>)
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('settings file is read, and named when it is wrong', async () => {
    await mkdir(homePaths(home).config, { recursive: true })
    await writeFile(join(homePaths(home).config, 'cardwire.conf'), 'CARDWIRE_JWT=maybe\n')
    const { status, stderr } = runToEnd(home, {})
    expect([status, stderr]).toEqual([2, expect.stringContaining('cardwire.conf')])
  })
})
