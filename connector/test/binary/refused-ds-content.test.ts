/** What a compiled connector refuses of its service: it goes on without it, and the administrators see why a cycle later. */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Connector, createHome, startConnector } from '../../../test/bed/connector.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { type OpenSsl, openSsl } from '../keystore/openssl.ts'

/** The version of the binary. */
const version = '4.0.0'

let ssl: OpenSsl
let service: DistributionService
let connector: Connector
let home: string
let configuration: string | undefined

beforeAll(async () => {
  ssl = openSsl()
  home = await createHome()
  // Nobody asks for a synchronization here: the connector does, every second.
  service = await startDistributionService(runtimes.Node, { DS_CYCLE: '1' })
  const { installationApiKey } = await service.registerVersion(version)
  await service.allow(version, ['https://shop.example'])
  connector = await startConnector(
    { CARDWIRE_DS_URL: service.url, CARDWIRE_INSTALLATION_KEY: installationApiKey },
    home,
  )
  await waitFor(() => connector.output().includes('synced'))
})
afterAll(async () => {
  await connector?.stop()
  await service?.stop()
  ssl?.close()
  await rm(home, { recursive: true, force: true })
})
// Of the one before, taken back a cycle after it was removed.
beforeEach(() => expect.poll(faults).toEqual([]))
const closing: (() => void)[] = []
afterEach(async () => {
  await service.admin('DELETE', `/v3/configurations/${configuration}?maxReach=999999999`)
  for (const close of closing.splice(0)) close()
})

/** As an administrator reads them: kind and detail. */
const faults = async (): Promise<string[]> => {
  const [device] = (await service.admin('GET', '/v3/devices?size=1')).items
  const details = await service.admin('GET', `/v3/devices/${device.id}`)
  return details.faults.map(({ kind, detail }: Record<string, string>) => `${kind}: ${detail}`)
}

async function configure(type: string, config: object): Promise<void> {
  const change = { type, versionId: version, config }
  configuration = (await service.admin('PUT', '/v3/configurations?maxReach=999999999', change)).id
}

/** Whether a page is served as before. */
const serves = async () =>
  (await connector.request('/info', { headers: { origin: 'https://shop.example' } })).status

describe('a keystore of the service', () => {
  test.each<[string, () => Buffer, string, RegExp]>([
    [
      'with another password',
      () => ssl.keystore(ssl.certificate()),
      'another',
      /its password is wrong/,
    ],
    [
      'that has expired',
      () => ssl.keystore(ssl.certificate({ days: -1 })),
      'secret',
      /its certificate expired at 20\d\d-/,
    ],
    ['of 50 MB', () => Buffer.alloc(50_000_000), 'secret', /more than 5242880 bytes/],
    ['that is no PKCS#12', () => Buffer.from(ssl.certificate().cert), 'secret', /no PKCS#12/],
  ])('%s is refused, and reported to the service', async (_, file, password, reason) => {
    proves('refusals-shown')
    // Elsewhere: the service opens those that it stores itself, and refuses them.
    const bytes = file()
    const files = createServer((_request, response) => response.end(bytes))
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
    closing.push(() => files.close())
    const uri = `http://127.0.0.1:${(files.address() as AddressInfo).port}/store.p12`
    const digest = createHash('sha256').update(bytes).digest('hex')
    await configure('SSL_KEYSTORE', { uri, digest, password })
    await expect.poll(faults).toEqual([expect.stringMatching(/^keystore-refused: /)])
    expect((await faults())[0]).toMatch(reason)
    expect(await serves()).toBe(200)
  })
})

describe('a list of digests', () => {
  const file = { path: 'smartcard_list.txt', digest: '0'.repeat(32) }

  /** No administrator can: as somebody would who has the database of the service. */
  async function plant(files: readonly object[]): Promise<void> {
    await service.pause()
    const database = new DatabaseSync(service.database)
    database
      .prepare('update configurations set config = ? where id = ?')
      .run(JSON.stringify({ files }), configuration ?? '')
    database.close()
    await service.resume()
    // It may have met nobody meanwhile, and would come back half a minute later.
    await connector.request('/v3/sync', { method: 'POST' })
  }

  test.each<[string, readonly object[], RegExp]>([
    ['of 10,000 files', Array(10_000).fill(file), /10000 files, more than 2000/],
    ['that leads outside', [{ ...file, path: '../secret' }], /outside the installation: \.\.\/sec/],
  ])('%s is refused, and reported to the service', async (_, files, reason) => {
    proves('refusals-shown')
    await expect(configure('FILE_DIGESTS', { files })).rejects.toThrow('422')
    await configure('FILE_DIGESTS', { files: [] })
    await plant(files)
    await expect.poll(faults).toEqual([expect.stringMatching(/^digests-refused: /)])
    expect((await faults())[0]).toMatch(reason)
    expect(await serves()).toBe(200)
    expect(connector.child.exitCode).toBeNull()
  })
})
