/** The compiled connector with a keystore of its service: what TLS clients see, by the name that they ask for. */

import { execFileSync, spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Connector, homePaths } from '../../../../test/bed/connector.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { createEnvironment } from '../../../../test/bed/program.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { connectorProgram } from '../../../../test/bed/repository.ts'
import { type OpenSsl, openSsl, type Pair } from '../../keystore/openssl.ts'
import { type Managed, version } from '../managed.ts'

const name = 'connector.example.com'

/** The fingerprint that OpenSSL is shown on a port for a server name; undefined: it sends none. */
async function shown(
  port: number | string,
  servername?: string,
  host = '127.0.0.1',
): Promise<string> {
  // Not waited for in one go: a connection that the server has closed meanwhile must not be used again.
  const child = spawn('openssl', [
    ...['s_client', '-connect', `${host}:${port}`],
    ...(servername === undefined ? ['-noservername'] : ['-servername', servername]),
  ])
  let output = ''
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString()
  })
  child.stdin.on('error', () => undefined).end()
  await once(child, 'close')
  const [pem] = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(output) ?? []
  return pem === undefined ? 'none' : fingerprintOf({ cert: pem })
}

const fingerprintOf = ({ cert }: Pick<Pair, 'cert'>) => new X509Certificate(cert).fingerprint256

/** Asks by name, with a verification of its own; answers with the status. */
const statusOf = (port: number | string, hostname: string, ca: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: hostname, 'x-csrf-token': 't1c-js' }
    const options = { host: '127.0.0.1', port, path: '/info', servername: hostname, headers, ca }
    request(options, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
      .once('error', reject)
      .end()
  })

const synchronize = (connector: Connector) => connector.request('/v3/sync', { method: 'POST' })

export const keystoreSuite = (managed: Managed) =>
  describe('keystore', () => {
    let ssl: OpenSsl
    /** Two for the same name. */
    let own: Pair
    let other: Pair
    let registryPort: string
    beforeAll(() => {
      ssl = openSsl()
      own = ssl.certificate()
      other = ssl.certificate()
    })
    beforeEach(async () => {
      registryPort = String(await findFreePort())
    })
    afterAll(() => ssl?.close())

    let configuration: string | undefined
    /** The files at the service, by what is in them. */
    const placed = new Map<Pair, string>()

    const start = (settings: Readonly<Record<string, string>> = {}): Promise<Connector> =>
      managed.start({ CARDWIRE_REGISTRY_PORT: registryPort, ...settings })

    const cardwire = (args: readonly string[], settings: Readonly<Record<string, string>>) =>
      managed.cardwire(args, { CARDWIRE_REGISTRY_PORT: registryPort, ...settings })

    /** Has the service name this keystore from now on, until the test has ended. */
    async function configureAt(uri: string, password = 'secret'): Promise<void> {
      const { id } = await managed.service.admin('PUT', '/v3/configurations?maxReach=999999999', {
        type: 'SSL_KEYSTORE',
        versionId: version,
        ...(configuration && { id: configuration }),
        config: { uri, password },
      })
      if (configuration === undefined) managed.closing.push(unconfigure)
      configuration = id
    }

    /** Has the service hand out this pair. */
    async function configure(pair: Pair, password?: string): Promise<void> {
      const file = placed.get(pair) ?? `${placed.size}.p12`
      if (!placed.has(pair)) await managed.service.putKeystore(file, ssl.keystore(pair))
      placed.set(pair, file)
      await configureAt(`file:///${file}`, password)
    }

    async function unconfigure(): Promise<void> {
      const held = configuration
      configuration = undefined
      if (held)
        await managed.service.admin('DELETE', `/v3/configurations/${held}?maxReach=999999999`)
    }

    const serves = (port: number | string, pair: Pair) =>
      expect.poll(() => shown(port, name)).toBe(fingerprintOf(pair))

    test('a keystore is served for its names, beside the leaf of localhost, by API and registry, without a restart', async () => {
      proves('keystore-location', 'keystore-served')
      const connector = await start()
      const { port, ca } = connector
      const leaf = await shown(port, 'localhost')
      expect((await synchronize(connector)).json.data.standing).toBe('good')
      expect(await shown(port, name)).toBe(leaf)
      await expect(statusOf(port, name, ca)).rejects.toThrow()

      const names = [name, '*.desk.example.com', 'localhost', '127.0.0.1']
      const pair = ssl.certificate({ names })
      await configure(pair)
      await synchronize(connector)
      await serves(port, pair)
      for (const host of ['127.0.0.1', '[::1]'])
        expect(await shown(port, 'a.desk.example.com', host)).toBe(fingerprintOf(pair))
      for (const other of ['localhost', 'other.example.com', 'a.b.desk.example.com', undefined])
        expect(await shown(port, other)).toBe(leaf)
      expect(await statusOf(port, name, pair.cert)).toBe(200)
      expect(await statusOf(port, 'a.desk.example.com', pair.cert)).toBe(200)
      expect(await statusOf(port, 'localhost', ca)).toBe(200)
      // What is in no certificate is no name of the connector, whatever the TLS was for.
      const elsewhere = await connector.request('/info', { host: 'a.b.desk.example.com' })
      expect([elsewhere.status, elsewhere.json.success]).toEqual([421, false])
      await serves(registryPort, pair)
      expect(await statusOf(registryPort, name, pair.cert)).toBe(200)
      expect(await shown(registryPort, 'localhost')).toBe(leaf)

      const next = ssl.certificate({ names: ['new.example.com'] })
      await configure(next)
      await synchronize(connector)
      await expect.poll(() => shown(port, 'new.example.com')).toBe(fingerprintOf(next))
      expect(await shown(port, name)).toBe(leaf)
      expect((await connector.request('/info', { host: name })).status).toBe(421)
      await expect.poll(() => shown(registryPort, 'new.example.com')).toBe(fingerprintOf(next))

      await unconfigure()
      await synchronize(connector)
      await expect.poll(() => shown(port, 'new.example.com')).toBe(leaf)
      expect(existsSync(join(homePaths(managed.home).runtime, 'keystore.pem'))).toBe(false)
    })

    test('a stored keystore is served from the start, while the service is unreachable', async () => {
      proves('offline-policy')
      await configure(own)
      const first = await start()
      await synchronize(first)
      await serves(first.port, own)
      await first.stop()
      await managed.pause()
      const second = await start()
      expect(await shown(second.port, name)).toBe(fingerprintOf(own))
    })

    test('a keystore that was altered while the connector was off is replaced at its start', async () => {
      proves('keystore-checked-at-start')
      await configure(own)
      const first = await start()
      await synchronize(first)
      await serves(first.port, own)
      await first.stop()
      const path = join(homePaths(managed.home).runtime, 'keystore.pem')
      const kept = readFileSync(path, 'utf8')
      writeFileSync(path, `${kept}more`)
      const second = await start()
      await serves(second.port, own)
      await expect.poll(() => readFileSync(path, 'utf8')).toBe(kept)
    })

    test('a keystore that is not the latest is replaced', async () => {
      proves('keystore-checked-at-start')
      await configure(own)
      const first = await start()
      await synchronize(first)
      await serves(first.port, own)
      await first.stop()
      await configure(other)
      const second = await start()
      await synchronize(second)
      await serves(second.port, other)
    })

    test('a keystore at another address is fetched from there', async () => {
      proves('keystore-location')
      const far = ssl.certificate({ names: ['localhost'] })
      const file = ssl.keystore(own)
      const server = createServer({ cert: far.cert, key: far.key }, (_, response) =>
        response.end(file),
      )
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      managed.closing.push(() => server.close())
      await configureAt(`https://localhost:${(server.address() as AddressInfo).port}/store.p12`)
      const caFile = join(managed.home, 'far.pem')
      writeFileSync(caFile, far.cert)
      const connector = await start({ CARDWIRE_CA_FILE: caFile })
      await synchronize(connector)
      await serves(connector.port, own)
    })

    test('a refused keystore is reported with the reason until the next valid one', async () => {
      proves('keystore-refusal-reported')
      // Elsewhere: the service opens those that it stores itself, and refuses them.
      const file = ssl.keystore(own)
      const files = createHttpServer((_, response) => response.end(file))
      await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
      managed.closing.push(() => files.close())
      const { port: filePort } = files.address() as AddressInfo
      await configureAt(`http://127.0.0.1:${filePort}/store.p12`, 'another')
      const connector = await start()
      await synchronize(connector)
      await expect.poll(() => connector.output()).toContain('keystore not in force')
      const { json } = await synchronize(connector)
      const faults = async () =>
        (await managed.service.admin('GET', `/v3/devices/${json.data.device}`)).faults.map(
          ({ kind, detail }: { kind: string; detail: string }) => `${kind}: ${detail}`,
        )
      expect(await faults()).toEqual([
        'keystore-refused: Cannot use the keystore: its password is wrong, or the file is damaged',
      ])
      await configure(own)
      await synchronize(connector)
      await serves(connector.port, own)
      await synchronize(connector)
      const device = await managed.service.admin('GET', `/v3/devices/${json.data.device}`)
      expect([device.faults, device.keystore?.length]).toEqual([[], 64])
    })

    test('without a local authority the keystore is served for every name, and to the programs of the user', async () => {
      proves('keystore-only')
      await configure(own)
      const { certificates } = homePaths(managed.home)
      rmSync(certificates, { recursive: true })
      const off = { CARDWIRE_LOCAL_CA: 'off' }
      const { port, output } = await start(off)
      for (const servername of [name, 'localhost', undefined])
        expect(await shown(port, servername)).toBe(fingerprintOf(own))
      expect(await statusOf(port, name, own.cert)).toBe(200)
      expect(existsSync(certificates)).toBe(false)
      await serves(registryPort, own)
      await expect.poll(output).toContain('registry found')
      const { status, stdout } = cardwire(['sync'], off)
      expect([status, stdout]).toEqual([0, expect.stringContaining('synced')])
      expect(cardwire(['doctor'], off).stdout).toContain(
        'the keystore from the service is valid until',
      )
    })

    test('without a local authority and a keystore the connector ends, and logs the reason', async () => {
      proves('keystore-only')
      const child = execFileSync.bind(undefined, connectorProgram, ['run'], {
        env: createEnvironment(managed.home, {
          ...managed.settings(),
          CARDWIRE_LOCAL_CA: 'off',
          CARDWIRE_API_PORTS: '25200-25999',
          CARDWIRE_MACHINE_DIR: join(managed.home, 'machine'),
        }),
        encoding: 'utf8',
        stdio: 'pipe',
      })
      expect(child).toThrow(/CARDWIRE_LOCAL_CA is off, and there is no keystore/)
    })
  })
