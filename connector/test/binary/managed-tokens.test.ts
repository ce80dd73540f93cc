/** Libraries of an administrator, from the configuration of a distribution service to a connector that runs, and back. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connector, startConnector } from '../../../test/bed/connector.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { createSoftToken, type SoftToken } from '../tokens/soft-token.ts'
import { findCardProcesses } from './cards/card-processes.ts'
import { version } from './managed.ts'

const origin = 'https://shop.example'

let folder: string
let soft: SoftToken
let service: DistributionService
let connector: Connector

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-tokens-'))
  soft = await createSoftToken()
  await soft.add('Ada', [{ id: 'B1', type: 'P-256', usage: 'signature' }])
  service = await startDistributionService(runtimes.Node)
  const { installationApiKey } = await service.registerVersion(version)
  await service.allow(version, [origin])
  connector = await startConnector({
    ...soft.settings,
    CARDWIRE_DS_URL: service.url,
    CARDWIRE_INSTALLATION_KEY: installationApiKey,
    CARDWIRE_JWT: 'off',
  })
})
afterAll(async () => {
  await connector?.stop()
  await service?.stop()
  await soft?.remove()
  await rm(folder, { recursive: true, force: true })
})

const configure = async (libraries: readonly object[]) => {
  const { items } = await service.admin('GET', '/v3/configurations')
  await service.admin('PUT', '/v3/configurations?maxReach=999999999', {
    ...{ id: items[0].id, type: 'CONTEXT_CONFIG', versionId: version },
    config: { cors: [origin], cards: { libraries } },
  })
  const { json } = await connector.request('/v3/sync', { method: 'POST' })
  expect(json.data).toMatchObject({ standing: 'good' })
}
const find = async () => {
  const { json } = await connector.request('/v3/readers')
  return json.data?.find(({ name }: { readonly name: string }) => name === 'Ada')
}
const countProcesses = () => findCardProcesses(connector.child.pid, 'token').length

test('a library of the service has its tokens listed from the next synchronization on, and ends with it', async () => {
  proves('pkcs11-tokens-without-reader')
  expect(await find()).toBeUndefined()
  await configure([{ ...soft.library, ownReaders: true }])
  const { id } = await find()
  const path = `/v3/modules/pkcs11/apps/token/readers/${id}/nonrepudiation-cert`
  expect((await connector.request(path)).json.data).toMatchObject({ id: 'B1' })
  expect(countProcesses()).toBe(1)
  await configure([])
  expect(await find()).toBeUndefined()
  expect((await connector.request(path)).status).toBe(503)
  await waitFor(() => countProcesses() === 0)
})

test('one for another system is not started, and one with another digest is not loaded', async () => {
  await configure([
    { ...soft.library, os: 'MACOS', ownReaders: true },
    { ...soft.library, sha256: 'ab'.repeat(32), ownReaders: true },
  ])
  expect(await find()).toBeUndefined()
  await connector.waitForOutput(/library not used.*libsofthsm2\.so.*the administrator named abab/)
})

test('a library in a folder that pages can write is not loaded, whatever its name', async () => {
  proves('service-names-library')
  const path = join(folder, 'picture.dat')
  await copyFile(soft.library.path, path)
  await configure([{ ...soft.library, path, ownReaders: true }])
  expect(await find()).toBeUndefined()
  await connector.waitForOutput(/library not used.*picture\.dat.*can write/)
})
