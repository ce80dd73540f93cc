/** What befalls the machine of the service: its disk, its descriptors, its memory, its clock. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDevice, createIdentity, register } from '../../../ds/test/harness/device.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../bed/distribution-service.ts'
import type { Settings } from '../../bed/program.ts'
import type { Json } from '../../bed/service-request.ts'
import { createNodeRuntime, type Runtime } from '../../bed/service-runtimes.ts'
import {
  createFakeClock,
  createMemoryLimit,
  limitFileSize,
  remount,
  withDescriptors,
  withDisk,
} from './machine.ts'
import { startCrowd } from './peers.ts'
import { check, type Row, until, within } from './row.ts'

export async function withService<T>(
  work: (service: DistributionService) => Promise<T>,
  settings: Settings = {},
  runtime: Runtime = createNodeRuntime(),
): Promise<T> {
  const service = await startDistributionService(runtime, settings)
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

const status = async (service: DistributionService, path: string): Promise<number> =>
  (await service.request('GET', path)).status
const createOrganization = async (service: DistributionService, name: string) =>
  service.request('PUT', '/v3/organizations', { token: await service.login(), body: { name } })

/** What does not need the fault: keys, the download that is online, the health where it is asked. */
async function checkAnswers(service: DistributionService): Promise<void> {
  for (const path of ['/.well-known/jwks.json', '/v3/devices/successions', '/v3/system/status']) {
    const { value } = await within(5000, path, () => status(service, path))
    check(value === 200, `${path}: ${value}`)
  }
}

/** Refuses to store anything and says why; stores again as soon as the fault is over. */
async function checkStorage(
  service: DistributionService,
  { begin, end, reason }: { begin: () => void; end: () => void; reason: RegExp },
): Promise<string> {
  const version = await service.registerVersion('4.0.0')
  const device = await createDevice(service, version)
  await service.login()
  begin()
  const refused = await createOrganization(service, 'During')
  check(refused.status === 503, `an upsert: ${refused.status} ${refused.text}`)
  check(reason.test(refused.json.description), `it says ${refused.json.description}`)
  const sync = await device.sync()
  check([200, 503].includes(sync.status), `a sync: ${sync.status} ${sync.text}`)
  await until(10_000, 'GET /health is 503', async () => (await status(service, '/health')) === 503)
  await checkAnswers(service)
  end()
  const ms = await until(5000, 'it stores again', async () => {
    return (await createOrganization(service, 'After')).status < 300
  })
  check((await device.sync()).status === 200, 'a sync after it')
  check((await status(service, '/health')) === 200, 'GET /health after it')
  return `503 "${refused.json.description}"; a sync ${sync.status}; stores again after ${ms} ms`
}

const folderOf = async () => mkdtemp(join(tmpdir(), 'cardwire-faults-'))

export const serviceRows: readonly Row[] = [
  {
    program: 'service',
    fault: 'the disk is full',
    holds: 'answers what it need not store, says so in words, stores again without a restart',
    isQuick: true,
    run: () =>
      withDisk('16m', (disk) =>
        withService(
          (service) =>
            checkStorage(service, { begin: disk.fill, end: disk.free, reason: /disk is full/ }),
          { DS_DATABASE: join(disk.path, 'ds.sqlite') },
        ),
      ),
  },
  {
    program: 'service',
    fault: 'its files may not grow (RLIMIT_FSIZE)',
    holds: 'the same',
    run: () =>
      withService(async (service) => {
        const pid = service.pid()
        return checkStorage(service, {
          begin: () => limitFileSize(pid, 1000),
          end: () => limitFileSize(pid, 'unlimited'),
          reason: /disk reports an error, or is full/,
        })
      }),
  },
  {
    program: 'service',
    fault: 'its folder is read-only',
    holds: 'does not start, in a sentence and with status 1; starts when it can be written again',
    run: () =>
      withDisk('16m', async (disk) => {
        const settings = { DS_DATABASE: join(disk.path, 'ds.sqlite') }
        return withService(async (service) => {
          await service.pause()
          remount(disk.path, 'ro')
          const reason = await service.resume().then(
            () => 'it has started',
            (error: Error) => error.message,
          )
          check(/ended with 1 .*\n?Cannot .*read-only/s.test(reason), reason)
          check(!/\n\s+at /.test(reason), `a stack: ${reason}`)
          remount(disk.path, 'rw')
          await service.resume()
          await checkAnswers(service)
          return `"${reason.split('\n').at(-2) ?? reason}"; starts again`
        }, settings)
      }),
  },
  {
    program: 'service',
    fault: '64 descriptors, and 100 clients that say nothing',
    holds: 'does not end; answers again as soon as they have gone, or were closed after 10 s',
    run: () =>
      withService(
        async (service) => {
          const crowd = await startCrowd(Number(new URL(service.url).port), 100, ['silent'])
          const meanwhile = await until(20_000, 'it answers beside them', async () => {
            return (await status(service, '/.well-known/jwks.json')) === 200
          })
          crowd.end()
          const after = await until(3000, 'it answers after them', async () => {
            return (await status(service, '/health')) === 200
          })
          return `answers after ${meanwhile} ms beside them, after ${after} ms without them`
        },
        {},
        createNodeRuntime({ prefix: withDescriptors(64) }),
      ),
  },
  {
    program: 'service',
    fault: '256 MiB of memory, 200 registrations and 40 logins at once',
    holds: 'is not killed; answers all of them',
    run: async () => {
      const limit = createMemoryLimit(256 * 1024 * 1024)
      try {
        return await withService(checkLoad, {}, createNodeRuntime({ prefix: limit.prefix }))
      } finally {
        limit.remove()
      }
    },
  },
  ...['-6y', '+13y'].map(
    (offset): Row => ({
      program: 'service',
      fault: `the clock jumps by ${offset} and back`,
      holds: 'answers; refuses devices with the reason; serves all of them when the clock is right',
      run: async () => {
        const folder = await folderOf()
        const clock = createFakeClock(folder)
        try {
          return await withService(
            (service) => checkClock(service, clock.set, offset),
            clock.settings,
          )
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      },
    }),
  ),
]

async function checkLoad(service: DistributionService): Promise<string> {
  const version: Json = await service.registerVersion('4.0.0')
  const registrations = Array.from({ length: 200 }, async () => {
    const body = { version: '4.0.0' }
    return (await register(service, await createIdentity(), version.installationApiKey, body))
      .status
  })
  const logins = Array.from({ length: 40 }, async (_, at) => {
    const form = {
      client_id: 'cardwire',
      grant_type: 'password',
      username: `nobody ${at}`,
      password: 'x',
    }
    const from = `198.51.100.${at}`
    const path = '/auth/realms/cardwire/protocol/openid-connect/token'
    return (await service.request('POST', path, { form, from })).status
  })
  const registered = await Promise.all(registrations)
  const refused = await Promise.all(logins)
  check(
    registered.every((one) => one === 201 || one === 503 || one === 429),
    `registrations: ${registered}`,
  )
  check(
    refused.every((one) => one === 400 || one === 503 || one === 429),
    `logins: ${refused}`,
  )
  await checkAnswers(service)
  const count = (all: readonly number[], wanted: number) =>
    all.filter((one) => one === wanted).length
  return `${count(registered, 201)} of 200 registered, ${count(refused, 400)} of 40 wrong logins refused, the others asked to wait`
}

async function checkClock(
  service: DistributionService,
  set: (offset: string) => void,
  offset: string,
): Promise<string> {
  const version = await service.registerVersion('4.0.0')
  const device = await createDevice(service, version)
  const { apiKey } = await service.createLabel('Shop')
  const exchange = async () =>
    (await service.request('GET', '/v3/tokens/application', { headers: { apikey: apiKey } })).status
  check((await exchange()) === 200, 'a token before it')
  set(offset)
  await checkAnswers(service)
  const sync = await device.sync()
  check(sync.status === 401 && sync.json.code === 'clock-skewed', `a device: ${sync.text}`)
  const tokens = await exchange()
  check(tokens < 500, `a token meanwhile: ${tokens}`)
  service.forgetSession()
  const login = await service.login().then(
    (token) => (token ? 'a login succeeds' : 'a login fails'),
    (error: Error) => error.message,
  )
  set('+0')
  await checkAnswers(service)
  check((await device.sync()).status === 200, 'a sync after it')
  check((await exchange()) === 200, 'a token after it')
  service.forgetSession()
  check((await createOrganization(service, 'After')).status === 201, 'an upsert after it')
  await createDevice(service, version)
  check((await status(service, '/health')) === 200, 'GET /health after it')
  return `a device is refused with "${sync.json.description}", a token ${tokens}, ${login}; all as before when it is right`
}
