/** The Worker with one bucket for installers and keystores, and with two. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { proves } from '../../test/bed/proves.ts'
import { root } from '../../test/bed/repository.ts'
import { createBoundWorkerRuntime, runtimes } from '../../test/bed/service-runtimes.ts'

// `wrangler dev` builds the Worker before it starts.

let folder: string
const started: DistributionService[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-buckets-'))
})
afterAll(async () => {
  await Promise.all(started.map((service) => service.stop()))
  await rm(folder, { recursive: true, force: true })
})

/** The bindings of wrangler.toml with one bucket for both. */
async function writeBindings(): Promise<string> {
  const text = await readFile(join(root, 'wrangler.toml'), 'utf8')
  const config = join(folder, 'wrangler.toml')
  const bound = text
    .replace('"cardwire-keystores"', '"cardwire-packages"')
    .replaceAll(
      /^(main|migrations_dir) = "(.*)"$/gm,
      (_, name, path) => `${name} = "${root}/${path}"`,
    )
  await writeFile(config, bound)
  return config
}

async function start(...args: Parameters<typeof startDistributionService>) {
  const service = await startDistributionService(...args)
  started.push(service)
  return service
}

test('with one bucket for installers and keystores, the service answers nothing and says why', async () => {
  proves('keystore-as-installer')
  const service = await start(createBoundWorkerRuntime(await writeBindings()))
  expect((await service.request('GET', '/health')).status).toBe(500)
  await expect
    .poll(() => service.output())
    .toContain('PACKAGES, KEYSTORES: both name the same bucket')
})

test('with two, the object that tells them apart is no keystore', async () => {
  proves('keystore-as-installer')
  const service = await start(runtimes.workerd)
  await service.putKeystore('keystore.p12', new Uint8Array([1]))
  const { json } = await service.request('GET', '/v3/keystores', { token: await service.login() })
  expect(json.data.items).toMatchObject([{ name: 'keystore.p12' }])
})
