/** Downloads from the bucket itself, by addresses that end soon and are for one object (docs/decisions/0204). */
import { createHash } from 'node:crypto'
import { createManifestName, slotLength, writeSlot } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BucketServer, startBucketServer } from '../../../test/bed/bucket.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createBucketRuntime, runtimes } from '../../../test/bed/service-runtimes.ts'
import { parseBucketAddress } from '../../src/rules/bucket-address.ts'
import { createBucketClient } from '../../src/self-hosted/bucket/bucket-client.ts'
import { nextVersion } from '../harness/arrange.ts'

const offset = 1001
const slotted = Uint8Array.from({ length: 200_000 }, (_, at) => (at * 31 + (at >> 8) * 7) % 256)
slotted.set(writeSlot() ?? [], offset)
const plain = Buffer.from('bytes of an installer without a slot')

let server: BucketServer
let service: DistributionService
beforeAll(async () => {
  server = await startBucketServer()
  const runtime = createBucketRuntime(() => server, runtimes.Node)
  const bucket = server.toSettings('bucket-1', { downloads: 'redirect' })
  service = await startDistributionService(
    runtime,
    { ...bucket, DS_STAMP_INSTALLERS: 'on' },
    { 'plain.deb': plain, 'slotted.deb': slotted },
  )
})
afterAll(async () => {
  await service?.stop()
  await server?.remove()
})

const register = (file: string, id = nextVersion()): Promise<Json> =>
  service.registerVersion(id, { uris: [{ os: 'UNIX', uri: `file:///${file}` }] })
const toPath = (id: string) => `/v3/downloads/installers/unix/versions/${id}`
const get = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
  service.request(method, toPath(id), { headers })
const getLocation = async (id: string) => new URL((await get(id)).headers.get('location') ?? '')
const read = (url: URL, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init })

test('a download is sent on to the bucket, where the same file has the same name', async () => {
  proves('presigned-address-passed-on')
  const { id } = await register('plain.deb')
  const { status, headers } = await get(id)
  expect([status, headers.get('cache-control')]).toEqual([302, 'no-store'])
  const response = await read(new URL(headers.get('location') ?? ''), {
    headers: { range: 'bytes=0-4' },
  })
  expect([response.status, await response.text()]).toEqual([206, 'bytes'])
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="plain.deb"/)
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  const head = await get(id, {}, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(plain.length)])
  expect((await get(id, { 'if-none-match': head.headers.get('etag') ?? '' })).status).toBe(304)
})

test('the address is for reading this one object, for five minutes', async () => {
  proves('presigned-address-passed-on')
  const { id } = await register('plain.deb')
  const location = await getLocation(id)
  expect(location.searchParams.get('X-Amz-Expires')).toBe('300')
  const change = (act: (url: URL) => void) => {
    const url = new URL(location)
    act(url)
    return url
  }
  const others = [
    change((url) => {
      url.pathname = url.pathname.replace('plain.deb', 'slotted.deb')
    }),
    change((url) => {
      url.pathname = '/bucket-1'
    }),
    change((url) => url.searchParams.set('X-Amz-Expires', '604800')),
    change((url) => url.searchParams.set('X-Amz-Date', '20300101T000000Z')),
    change((url) => url.searchParams.delete('X-Amz-Signature')),
  ]
  for (const url of others) expect((await read(url)).status).toBeGreaterThanOrEqual(400)
  for (const method of ['PUT', 'DELETE', 'POST'])
    expect((await read(location, { method })).status).toBeGreaterThanOrEqual(400)
  expect((await read(location)).status).toBe(200)
})

test('an address that is older than it may be is refused', async () => {
  proves('presigned-address-passed-on')
  const settings = server.toSettings('bucket-1')
  const presign = (ageS: number) =>
    createBucketClient(parseBucketAddress(settings['DS_BUCKET'] ?? ''), server, {
      clock: () => Date.now() - ageS * 1000,
    }).presign('ds/packages/plain.deb', {}, 300)
  expect((await read(new URL(await presign(200)))).status).toBe(200)
  expect((await read(new URL(await presign(310)))).status).toBe(403)
})

test('a package that gets the values of the service is not sent on, and what is the same for all is', async () => {
  proves('installer-key-stamped', 'presigned-address-passed-on')
  const id = nextVersion()
  const sha256 = createHash('sha256').update(slotted).digest('hex')
  const listed = {
    file: 'slotted.deb',
    system: 'UNIX',
    architecture: 'x64',
    size: slotted.length,
    sha256,
  }
  const slot = { offset, length: slotLength }
  const manifest = JSON.stringify({ version: id, files: [{ ...listed, slot }] })
  await service.request('PUT', `/v3/installers/${createManifestName(id)}`, {
    token: await service.login(),
    headers: { 'content-type': 'application/octet-stream' },
    body: JSON.stringify({ manifest, signature: 'c2lnbmVk' }),
  })
  const version = await register('slotted.deb', id)
  const { status, bytes } = await get(id)
  expect(status).toBe(200)
  expect(new TextDecoder().decode(bytes.subarray(offset, offset + slotLength))).toContain(
    `CARDWIRE_INSTALLATION_KEY=${version.installationApiKey}`,
  )
  expect((await service.request('GET', `${toPath(id)}?stamp=off`)).status).toBe(302)
})

test('no address of a keystore is given away', async () => {
  proves('keystore-as-installer')
  await service.putKeystore('keystore.p12', Buffer.from('a keystore'))
  const { status } = await service.request('PUT', '/v3/versions', {
    token: await service.login(),
    body: {
      id: nextVersion(),
      recommended: false,
      mandatory: false,
      allowed: true,
      uris: [{ os: 'UNIX', uri: 'file:///keystore.p12' }],
    },
  })
  expect(status).toBe(422)
})
