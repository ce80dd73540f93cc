/** The tags of the settings are in what each kind of device tells the service. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { registerDevice, syncDevice } from '@cardwire/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { silentLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { openMachineDevice } from '../../src/distribution/machine-device.ts'
import { openManagement } from '../../src/distribution/management.ts'
import { synchronizeOnce } from '../../src/distribution/synchronize-once.ts'
import { readSettings } from '../../src/settings.ts'
import { readUser } from '../../src/system/user.ts'
import { version } from '../../src/version.ts'

let service: DistributionService
let installationKey: string
let link: Awaited<ReturnType<typeof startLink>>
let folder: string

beforeAll(async () => {
  link = await startLink()
  service = await startDistributionService(runtimes.Node, async (url) => {
    link.target = url
    return { DS_URL: link.url }
  })
  installationKey = (await service.registerVersion(version)).installationApiKey
  await service.allow(version, ['https://a.example'])
})
afterAll(async () => {
  link?.close()
  await service?.stop()
})
beforeEach(async () => {
  link.reported.length = 0
  folder = await mkdtemp(join(tmpdir(), 'cardwire-tags-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Has the address of the service, passes every request on, and keeps the tags of registrations and synchronizations. */
async function startLink() {
  const reported: [path: string, tags: unknown][] = []
  const between = createServer(async (incoming, response) => {
    const { method, url: path = '', headers } = incoming
    const body = await text(incoming)
    if (path === registerDevice.path || path === syncDevice.path)
      reported.push([path, JSON.parse(body).device?.tags])
    const onward = request(`${started.target}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy()).end(body)
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  const started = {
    url: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    /** The address that the service listens at. */
    target: '',
    reported,
    close: () => between.close(),
  }
  return started
}

const read = (values: Record<string, string>) =>
  readSettings([
    {
      name: 'test',
      values: {
        CARDWIRE_DS_URL: link.url,
        CARDWIRE_INSTALLATION_KEY: installationKey,
        ...values,
      },
    },
  ])

const now = Date.now()
const common = () => ({
  log: silentLog,
  installation: folder,
  keystoreWorker: new URL('file:///none'),
  clockWatch: { confirm: () => undefined, readings: () => ({ now, trustedAt: now }) },
  end: () => undefined,
})

async function synchronizeConnector(values: Record<string, string>) {
  const management = await openManagement({
    ...common(),
    settings: read(values),
    folders: { runtime: folder, logs: folder },
    user: readUser({}),
    dialog: { show: async () => 'closed' },
    counters: { batches: () => [], acknowledge: () => undefined },
  })
  await management.distribution?.synchronize()
  management.stop()
}

test('a connector registers and synchronizes with its tags, and administrators find it by them', async () => {
  proves('device-tags')
  await synchronizeConnector({ CARDWIRE_TAGS: 'berlin,floor:2' })
  expect(link.reported).toEqual([
    ['/v3/devices', ['berlin', 'floor:2']],
    ['/v3/devices/sync', ['berlin', 'floor:2']],
  ])
  const { items } = await service.admin('GET', '/v3/devices?tag=floor:2')
  expect(items).toHaveLength(1)
  await synchronizeConnector({ CARDWIRE_TAGS: 'paris' })
  expect(link.reported.at(-1)).toEqual(['/v3/devices/sync', ['paris']])
})

test('a connector without tags reports none', async () => {
  await synchronizeConnector({})
  expect(link.reported).toEqual([
    ['/v3/devices', undefined],
    ['/v3/devices/sync', undefined],
  ])
})

test('a connector that does not run synchronizes with its tags', async () => {
  await synchronizeOnce({
    dsUrl: link.url,
    settings: read({ CARDWIRE_TAGS: 'berlin' }),
    folders: { runtime: folder },
    log: silentLog,
  })
  expect(link.reported).toEqual([
    ['/v3/devices', ['berlin']],
    ['/v3/devices/sync', ['berlin']],
  ])
})

test('the registry of the computer synchronizes with its tags', async () => {
  const machine = await openMachineDevice({
    ...common(),
    settings: read({ CARDWIRE_TAGS: 'kiosk' }),
    runtime: folder,
  })
  machine?.start()
  await waitFor(() => link.reported.length >= 2)
  expect(link.reported.map(([, tags]) => tags)).toEqual([['kiosk'], ['kiosk']])
}, 20_000)
