/** Digests of files that requests ask for: they end with their request, and two are computed at once. */
import { readdir, readlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { proves } from '../../test/bed/proves.ts'

/** Of a file without content on the disk: a digest of it takes minutes. */
const size = 100 * 1024 ** 3

let service: DistributionService
let token: string
beforeAll(async () => {
  service = await startDistributionService()
  token = await service.login()
  await service.putPackage('large.deb', new Uint8Array([1]))
  await truncate(join(service.folder, 'packages/large.deb'), size)
})
afterAll(() => service?.stop())

/** How often the service has the file open. */
async function countOpen(): Promise<number> {
  const folder = `/proc/${service.pid()}/fd`
  const targets = await Promise.all(
    (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')),
  )
  return targets.filter((target) => target.endsWith('large.deb')).length
}

const ask = (signal: AbortSignal) =>
  fetch(`${service.url}/v3/installers/large.deb`, {
    signal,
    headers: { authorization: `Bearer ${token}` },
  }).then(
    ({ status }) => status,
    () => 'given up',
  )

test('a digest of an installer ends with its request', async () => {
  proves('digest-abandoned', 'digests-flood')
  const abandoned = new AbortController()
  const statuses = Array.from({ length: 10 }, () => ask(abandoned.signal))
  await expect.poll(countOpen).toBe(2)
  abandoned.abort()
  expect(new Set(await Promise.all(statuses))).toEqual(new Set(['given up']))
  await expect.poll(countOpen).toBe(0)
  expect(service.output()).not.toContain('"defect"')
  expect((await service.request('GET', '/v3/installers', { token })).status).toBe(200)
})
