/** What a manifest that a publisher has made up does to those for whom the service reads it: devices and strangers. */
import { createManifestName } from '@cardwire/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { nextVersion } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

const name = 'cardwire.deb'
const content = 'the package'
let ds: InProcess
beforeAll(async () => {
  ds = await startInProcess()
  await upload(name, content)
})
afterAll(() => ds.stop())

async function upload(file: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream', 'content-length': `${body.length}` }
  const token = await ds.login()
  expect((await ds.request('PUT', `/v3/installers/${file}`, { token, headers, body })).status).toBe(
    201,
  )
}

async function register(id: string, uris: Json[], recommended: boolean): Promise<Json> {
  const body = { id, recommended, mandatory: false, allowed: true, uris }
  const { json } = await ds.request('PUT', '/v3/versions?maxReach=99', {
    token: await ds.login(),
    body,
  })
  return json.data
}

const listed = { file: name, system: 'UNIX', architecture: 'x64', size: content.length }
const file = { ...listed, sha256: '0'.repeat(64) }

test.each([
  ['20,000 files that are none', Array.from({ length: 20_000 }, () => ({})), 64_000],
  ['80,000 files that are none', Array.from({ length: 80_000 }, () => ({})), 256_000],
  ['65 files', Array.from({ length: 65 }, () => file), 64_000],
  [
    'a processor with a name of 20,000 characters',
    [{ ...file, architecture: 'x'.repeat(20_000) }],
    64_000,
  ],
])('a manifest of %s counts as none', async (_, files, bytes) => {
  proves('manifest-hostile')
  const older = await register(nextVersion(), [], false)
  const id = nextVersion()
  const manifest = JSON.stringify({ version: id, files })
  const body = JSON.stringify({ manifest, signature: 'c2lnbmVk' })
  expect(body.length).toBeLessThan(bytes)
  await upload(createManifestName(id), body)
  await register(id, [{ os: 'UNIX', uri: `file:///${name}` }], true)

  const path = `/v3/downloads/installers/unix/versions/${id}`
  const { status, text } = await ds.request('GET', path)
  expect([status, text]).toEqual([200, content])
  expect((await ds.request('GET', `${path}?architecture=x64`)).status).toBe(404)
  const { reply } = await (await createDevice(ds, older)).sync()
  expect(reply.verdict).toMatchObject({ action: 'recommend', offer: { version: id } })
})
