/** A compiled connector without anybody at it: it synchronizes by itself, also through the proxy of a company. */

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer as createHttpServer, request } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Connector, createHome, startConnector } from '../../../test/bed/connector.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { openSsl } from '../keystore/openssl.ts'

/** The version of the binary. */
const version = '4.0.0'
const origin = 'https://shop.example'

let home: string
const closing: (() => unknown)[] = []
beforeEach(async () => {
  home = await createHome()
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  await rm(home, { recursive: true, force: true })
})

describe('with a cycle of a second', () => {
  let service: DistributionService
  let managed: Readonly<Record<string, string>>
  beforeAll(async () => {
    service = await startDistributionService(runtimes.Node, { DS_CYCLE: '1' })
    const { installationApiKey } = await service.registerVersion(version)
    managed = { CARDWIRE_DS_URL: service.url, CARDWIRE_INSTALLATION_KEY: installationApiKey }
  })
  afterAll(() => service?.stop())
  beforeEach(() => service.allow(version, [origin]))

  async function start(settings: Readonly<Record<string, string>> = {}): Promise<Connector> {
    const connector = await startConnector({ ...managed, ...settings }, home)
    closing.push(connector.stop)
    await expect.poll(connector.output).toContain('synced')
    return connector
  }

  test('a file that is altered while the connector runs ends it with 3', async () => {
    proves('altered-file-stops')
    const folder = join(home, 'installed')
    mkdirSync(folder)
    const [program, list] = [join(folder, 'cardwire'), join(folder, 'smartcard_list.txt')]
    for (const path of [program, list])
      copyFileSync(join(dirname(connectorProgram), path.slice(folder.length)), path)
    const digest = createHash('md5').update(readFileSync(list)).digest('hex')
    const files = [{ path: 'smartcard_list.txt', digest }]
    const { id } = await service.admin('PUT', '/v3/configurations?maxReach=999999999', {
      type: 'FILE_DIGESTS',
      versionId: version,
      config: { files },
    })
    closing.push(() => service.admin('DELETE', `/v3/configurations/${id}?maxReach=999999999`))
    const child = spawn(program, ['api'], {
      env: createEnvironment(home, { ...managed, CARDWIRE_API_PORTS: '25200-25999' }),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    child.stderr.on('data', (part: Buffer) => {
      output += part.toString()
    })
    const ended = once(child, 'exit')
    closing.push(() => child.kill('SIGKILL'))
    await expect.poll(() => output).toContain('synced')
    writeFileSync(list, 'another list')
    expect((await ended)[0]).toBe(3)
    expect(output).toContain('files of the installation were altered')
  })

  test('logs that are uploaded to the service contain no secret', async () => {
    proves('uploaded-logs-clean')
    const connector = await start({ CARDWIRE_LOG_LEVEL: 'debug' })
    const token = await service.applicationToken()
    const codeWord = '::t1c::miksa::3c1f0a7796d64a3fb1a6cf9dba1e8e71'
    const headers = { origin, cookie: 'session=planted-cookie', 'x-note': codeWord }
    await connector.request('/v3/version', { token, headers })
    await connector.request(`/v3/${codeWord}?pin=4711471147`, { token, headers })
    expect((await connector.request('/logs/push')).json.data).toEqual({ pushed: true })

    const database = new DatabaseSync(service.database)
    closing.push(() => database.close())
    const left = database.prepare('select bytes from device_logs').all()
    const logs = gunzipSync(Buffer.from(String(left.at(-1)?.['bytes']), 'base64')).toString()
    expect(logs).toContain('== api.log ==')
    expect(logs).toContain('synced')
    const secrets = [token, connector.token, managed['CARDWIRE_INSTALLATION_KEY'] ?? '']
    for (const secret of [...secrets, codeWord, 'planted-cookie', '4711471147'])
      expect(logs).not.toContain(secret)
  })
})

describe('a service behind a proxy, with a certificate of the company', () => {
  /** A name that nobody here knows but the proxy. */
  const name = 'ds.company.test'

  async function listening(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    return (server.address() as AddressInfo).port
  }

  /** TLS in front of the service, which is on this port. */
  const front = ({ cert, key }: { cert: string; key: string }, port: () => number) =>
    createHttpsServer({ cert, key }, (incoming, response) => {
      const { method, url: path, headers } = incoming
      const onward = request({ host: '127.0.0.1', port: port(), method, path, headers })
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      incoming.pipe(onward.on('error', () => response.destroy()))
    })

  function proxyTo(port: number, hosts: string[]): Server {
    const proxy = createHttpServer()
    proxy.on('connect', ({ url = '' }, socket) => {
      hosts.push(url)
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      for (const end of [onward, socket]) end.on('error', () => undefined)
    })
    return proxy
  }

  test('is reached through HTTPS_PROXY and trusted by CARDWIRE_CA_FILE, and not without them', async () => {
    proves('machine-proxy')
    const ssl = openSsl()
    closing.push(ssl.close)
    const pair = ssl.certificate({ names: [name] })
    const ca = join(home, 'company.pem')
    writeFileSync(ca, pair.cert)
    let port = 0
    const frontPort = await listening(front(pair, () => port))
    const url = `https://${name}:${frontPort}`
    const service = await startDistributionService(runtimes.Node, { DS_URL: url })
    closing.push(service.stop)
    port = Number(new URL(service.url).port)
    const { installationApiKey } = await service.registerVersion(version)
    const hosts: string[] = []
    const proxyPort = await listening(proxyTo(frontPort, hosts))
    const settings = {
      CARDWIRE_DS_URL: url,
      CARDWIRE_INSTALLATION_KEY: installationApiKey,
      CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
      HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
    }
    const synchronized = async (more: Readonly<Record<string, string>>) => {
      const connector = await startConnector({ ...settings, ...more }, home)
      const { json } = await connector.request('/v3/sync', { method: 'POST' })
      // What is on this machine is asked without the proxy.
      await expect.poll(connector.output).toContain('registry found')
      await connector.stop()
      return json.data
    }
    const refused = await synchronized({})
    expect([refused.standing, refused.reason]).toEqual([
      'unreachable',
      expect.stringContaining('certificate'),
    ])
    expect(await synchronized({ CARDWIRE_CA_FILE: ca })).toMatchObject({ standing: 'good' })
    expect(new Set(hosts)).toEqual(new Set([`${name}:${frontPort}`]))
    const direct = await synchronized({ CARDWIRE_CA_FILE: ca, NO_PROXY: name })
    expect(direct).toMatchObject({
      standing: 'unreachable',
      reason: expect.stringContaining(`Cannot reach ${name}`),
    })
  })
})
