/** Digests of files that requests ask for: they end with their request, and two are computed at once. */
import { readdir, readlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { proves } from '../../test/bed/proves.ts'
import { createVersion } from './harness/arrange.ts'

/** Of a file without content on the disk: a digest of it takes minutes. */
const size = 100 * 1024 ** 3

let service: DistributionService
let token: string
beforeAll(async () => {
  service = await startDistributionService()
  token = await service.login()
  await service.putPackage('large.deb', new Uint8Array([1]))
  await service.putKeystore('large.p12', new Uint8Array([1]))
  await truncate(join(service.folder, 'packages/large.deb'), size)
  await truncate(join(service.folder, 'keystores/large.p12'), size)
})
afterAll(() => service?.stop())

/** How often the service has a file open. */
async function countOpen(name: string): Promise<number> {
  const folder = `/proc/${service.pid()}/fd`
  const targets = await Promise.all(
    (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')),
  )
  return targets.filter((target) => target.endsWith(name)).length
}

const send = (path: string, init: RequestInit) =>
  fetch(service.url + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  }).then(
    ({ status }) => status,
    () => 'given up',
  )

test.each([
  {
    what: 'of an installer',
    file: 'large.deb',
    ask: async () => (signal: AbortSignal) => send('/v3/installers/large.deb', { signal }),
  },
  {
    what: 'of a keystore that is configured',
    file: 'large.p12',
    ask: async () => {
      const { id: versionId } = await createVersion(service, token)
      const config = { uri: 'file:///large.p12', password: 'x' }
      const body = JSON.stringify({ versionId, type: 'SSL_KEYSTORE', config })
      return (signal: AbortSignal) => send('/v3/configurations', { method: 'PUT', body, signal })
    },
  },
])('a digest $what ends with its request', async ({ file, ask }) => {
  proves('digest-abandoned', 'digests-flood')
  const [abandoned, request] = [new AbortController(), await ask()]
  const statuses = Array.from({ length: 10 }, () => request(abandoned.signal))
  await expect.poll(() => countOpen(file)).toBe(2)
  abandoned.abort()
  expect(new Set(await Promise.all(statuses))).toEqual(new Set(['given up']))
  await expect.poll(() => countOpen(file)).toBe(0)
  expect(service.output()).not.toContain('"defect"')
  expect((await service.request('GET', '/v3/installers', { token })).status).toBe(200)
})
