/** Files in a bucket with the API of S3 (docs/decisions/0204), over a real one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BucketServer, startBucketServer } from '../../../test/bed/bucket.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { createVersion, nextInstaller } from '../harness/arrange.ts'

const media = { 'content-type': 'application/octet-stream' }
/** More than two parts of an upload, and no part is like another. */
const large = Uint8Array.from({ length: 18_000_001 }, (_, at) => (at * 31 + (at >> 8) * 7) % 256)
const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0

let server: BucketServer
beforeAll(async () => {
  server = await startBucketServer()
})
afterAll(() => server?.remove())

describe.each([['Node'], ['Deno']] as const)('the service on %s', (name) => {
  let bucket: string
  let service: DistributionService
  beforeAll(async () => {
    bucket = await server.createBucket()
    service = await startDistributionService(runtimes[name], server.toSettings(bucket))
  })
  afterAll(() => service?.stop())

  const upload = async (file: string, body: Uint8Array | string) =>
    service.request('PUT', `/v3/installers/${file}`, {
      token: await service.login(),
      headers: media,
      body,
    })
  const register = async (file: string) =>
    createVersion(service, await service.login(), {
      uris: [{ os: 'UNIX', uri: `file:///${file}` }],
    })
  const download = (id: string, headers: Record<string, string> = {}) =>
    service.request('GET', `/v3/downloads/installers/unix/versions/${id}`, { headers })

  test.each([
    ['of one part', large.subarray(0, 1000)],
    ['of several parts', large],
    ['of two whole parts', large.subarray(0, 16 * 1024 * 1024)],
  ])('stores an installer %s, and sends what it got, in parts too', async (_, body) => {
    proves('installer-upload-atomic')
    const file = nextInstaller()
    expect((await upload(file, body)).status).toBe(201)
    expect((await server.list(bucket)).objects).toContain(`ds/packages/${file}`)
    const { id } = await register(file)
    const whole = await download(id)
    expect([whole.status, isSame(whole.bytes, body)]).toEqual([200, true])
    const part = await download(id, { range: 'bytes=990-1005' })
    expect([part.status, isSame(part.bytes, body.subarray(990, 1006))]).toEqual([206, true])
  })
})
