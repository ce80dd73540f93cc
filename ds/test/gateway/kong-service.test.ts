/** The service with copies of its keys at Kong, whose Admin API a stand-in answers over HTTP. */
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { administratorsCommand } from '../../../test/bed/administrators-command.ts'
import { startDistributionService } from '../../../test/bed/distribution-service.ts'
import { createEnvironment, runProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { root } from '../../../test/bed/repository.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { createLabel } from '../harness/arrange.ts'
import { type InProcess, startInProcess } from '../harness/in-process.ts'
import { createKongStandIn, type KongStandIn } from './kong-stand-in.ts'

const token = 'token-of-the-admin-api'
const secret = 'a-secret-of-the-gateway-with-32-characters'

interface Scheduled {
  readonly work: () => Promise<void>
  readonly afterMs: number
}

let standIn: KongStandIn
let server: ReturnType<typeof createAdaptorServer>
let settings: Readonly<Record<string, string>>
let ds: InProcess
let admin: string
let scheduled: Scheduled[]
let errors: object[]
/** What Kong's clock shows where no service runs. */
let now = Date.UTC(2026, 0, 1)

beforeEach(async () => {
  scheduled = []
  errors = []
  standIn = createKongStandIn(() => now, token)
  server = createAdaptorServer({ fetch: standIn.app.fetch })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  settings = {
    DS_GATEWAY: 'built-in, kong',
    DS_KONG_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    DS_KONG_TOKEN: token,
    DS_GATEWAY_TAG: 'tills',
    DS_GATEWAY_SECRET: secret,
    DS_TRUST_PROXY: '10.0.0.1',
    DS_MAX_REACH: 'any',
  }
  now = Date.UTC(2026, 0, 1)
})
afterEach(async () => {
  await new Promise<void>((closed) => void server.close(() => closed()))
})

/** Starts the service, and has its first comparison done. */
async function start(changes: Readonly<Record<string, string>> = {}): Promise<void> {
  ds = await startInProcess({ ...settings, ...changes }, undefined, {
    schedule: (work, afterMs) => scheduled.push({ work, afterMs }),
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (event, fields) => errors.push({ event, ...fields }),
    },
  })
  admin = await ds.login()
  await ds.request('PUT', '/v3/organizations', { token: admin, body: { name: 'Org' } })
  expect(scheduled.map(({ afterMs }) => afterMs)).toEqual([0])
  await runScheduled()
}

/** Runs what waits; what that schedules waits in turn. */
async function runScheduled(): Promise<readonly number[]> {
  const waiting = scheduled.splice(0)
  for (const { work } of waiting) await work()
  return waiting.map(({ afterMs }) => afterMs)
}

const send = async (method: string, path: string, body?: object): Promise<Json> =>
  (await ds.request(method, path, { token: admin, ...(body && { body }) })).json.data
const putLabel = async (name = 'Till'): Promise<string> =>
  (await send('PUT', '/v3/labels', { name, orgId: 'org' })).apiKey
const kong = (method: string, path: string, body?: object) =>
  standIn.app.request(path, {
    method,
    headers: { 'kong-admin-token': token, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
const consumer = 'tills:application:till'
const consumerPath = `/consumers/${encodeURIComponent(consumer)}`

describe('keys at Kong', () => {
  afterEach(() => ds.stop())

  test('follow those of labels: created, replaced with an overlap and at once, revoked, removed', async () => {
    proves('kong-keys')
    await start()
    const first = await putLabel()
    expect(standIn.check(first)).toMatchObject({
      'x-consumer-custom-id': consumer,
      'x-consumer-username': consumer,
    })
    const second = (await send('POST', '/v3/labels/till/key', { overlap: 3600 })).apiKey
    expect([standIn.check(first), standIn.check(second)]).not.toContain(undefined)
    now += 3_599_000
    ds.now += 3_599_000
    expect(standIn.check(first)).toBeDefined()
    now += 2000
    ds.now += 2000
    admin = await ds.login()
    expect(standIn.check(first)).toBeUndefined()
    const third = (await send('POST', '/v3/labels/till/key', {})).apiKey
    expect(standIn.check(second)).toBeUndefined()
    expect(standIn.check(third)).toBeDefined()
    await send('DELETE', '/v3/labels/till/key')
    expect(standIn.check(third)).toBeUndefined()
    expect((await kong('GET', consumerPath)).status).toBe(200)
    await send('DELETE', '/v3/labels/till')
    expect((await kong('GET', consumerPath)).status).toBe(404)
    expect(errors).toEqual([])
  })

  test('follow those of versions, and a key that was given in capital letters is there in lowercase', async () => {
    proves('kong-keys')
    await start()
    const installationApiKey = crypto.randomUUID()
    await send('PUT', '/v3/versions', {
      ...{ id: '1.0.0', recommended: false, mandatory: false, allowed: true, uris: [] },
      installationApiKey: installationApiKey.toUpperCase(),
    })
    expect(standIn.check(installationApiKey)).toMatchObject({
      'x-consumer-custom-id': 'tills:registration:1.0.0',
    })
    await send('DELETE', '/v3/versions/1.0.0')
    expect(standIn.check(installationApiKey)).toBeUndefined()
  })

  test('a change counts while Kong is down, and reaches it as soon as it is back', async () => {
    proves('kong-behind')
    await start()
    const key = await putLabel()
    await runScheduled()
    scheduled = []
    standIn.isDown = true
    expect((await ds.request('DELETE', '/v3/labels/till/key', { token: admin })).status).toBe(200)
    expect(standIn.check(key)).toBeDefined()
    expect(errors).toEqual([
      {
        ...{ event: 'gateway not updated', gateway: 'kong', consumer },
        error: expect.objectContaining({ message: `Kong answered 503 to GET ${consumerPath}` }),
      },
    ])
    const waits = [await runScheduled(), await runScheduled(), await runScheduled()]
    expect(waits).toEqual([[5000], [10_000], [20_000]])
    standIn.isDown = false
    expect(await runScheduled()).toEqual([40_000])
    expect([standIn.check(key), scheduled]).toEqual([undefined, []])
    expect(JSON.stringify(errors)).not.toContain(key)
  })

  test('what a process that ended has left there goes at the next start, and each hour', async () => {
    proves('kong-behind')
    await start()
    const key = await putLabel()
    // As a process that ends between the two.
    await ds.driver.run({ sql: "delete from consumers where id = 'till'", params: [] })
    await ds.driver.run({ sql: "delete from labels where id = 'till'", params: [] })
    expect(standIn.check(key)).toBeDefined()
    expect(await runScheduled()).toEqual([3_600_000])
    expect(standIn.check(key)).toBeUndefined()
    expect(scheduled.map(({ afterMs }) => afterMs)).toEqual([3_600_000])
  })

  test('a key that is revoked while it is being copied does not stay', async () => {
    proves('kong-behind')
    await start()
    let revoked: Promise<unknown> | undefined
    standIn.before = async (method, path) => {
      if (method !== 'PUT' || !path.includes('/key-auth/')) return
      standIn.before = undefined
      // Also its own update of the copies ends before the key comes.
      revoked = ds.request('DELETE', '/v3/labels/till', { token: admin })
      await revoked
      await kong('PUT', consumerPath, { username: consumer, custom_id: consumer, tags: ['tills'] })
    }
    const key = await putLabel()
    expect(revoked).toBeDefined()
    expect(standIn.check(key)).toBeUndefined()
    expect((await kong('GET', consumerPath)).status).toBe(404)
  })

  test('what Kong has lost or changed is restored, and what others have there stays', async () => {
    proves('kong-keys', 'kong-foreign')
    await start()
    const [till, shop] = [await putLabel(), await putLabel('Shop')]
    const { data }: Json = await (await kong('GET', `${consumerPath}/key-auth`)).json()
    await kong('DELETE', `${consumerPath}/key-auth/${data[0].id}`)
    await kong('DELETE', '/consumers/tills%3Aapplication%3Ashop')
    const mine = { tags: ['tills'] }
    await kong('PUT', '/consumers/tills%3Aapplication%3Aghost', mine)
    const strange = '6f1c5a52-3f0b-8c1d-9b7e-2d4c8a1e0f33'
    await kong('PUT', `${consumerPath}/key-auth/${strange}`, { key: 'planted', ...mine })
    // Of others: without the tag, or with it and another name.
    await kong('PUT', '/consumers/bob', { custom_id: 'bob' })
    await kong('PUT', '/consumers/other%3Aapplication%3Atill', { tags: ['other'] })
    await kong('PUT', '/consumers/carol', mine)
    const byHand = '7f1c5a52-3f0b-8c1d-9b7e-2d4c8a1e0f33'
    await kong('PUT', `${consumerPath}/key-auth/${byHand}`, { key: 'by hand' })
    await runScheduled()
    expect([standIn.check(till), standIn.check(shop)]).not.toContain(undefined)
    expect(standIn.check('planted')).toBeUndefined()
    const statuses = await Promise.all(
      ['tills%3Aapplication%3Aghost', 'bob', 'other%3Aapplication%3Atill', 'carol'].map(
        async (name) => (await kong('GET', `/consumers/${name}`)).status,
      ),
    )
    expect(statuses).toEqual([404, 200, 200, 200])
    expect(standIn.check('by hand')).toBeDefined()
    const before = standIn.requests.length
    await runScheduled()
    expect(standIn.requests.slice(before).map((line) => line.split(' ')[0])).toEqual(['GET', 'GET'])
  })

  test('a consumer that belongs to others holds up no other', async () => {
    proves('kong-foreign')
    await start()
    await putLabel('Alpha')
    const till = await putLabel()
    const alpha = '/consumers/tills%3Aapplication%3Aalpha'
    await kong('DELETE', alpha)
    await kong('PUT', alpha, { custom_id: 'of others' })
    await kong('DELETE', consumerPath)
    await runScheduled()
    expect(standIn.check(till)).toBeDefined()
    expect(await (await kong('GET', alpha)).json()).toMatchObject({ custom_id: 'of others' })
    const message = 'Kong has a consumer "tills:application:alpha" without the tag "tills"'
    expect(errors).toMatchObject([{ event: 'gateway not updated', error: { message } }])
    expect(scheduled.map(({ afterMs }) => afterMs)).toEqual([5000, 3_600_000])
  })

  test('are sealed in the database, and not there without a gateway', async () => {
    proves('kong-keys')
    await start()
    const key = await putLabel()
    const read = async () =>
      (await ds.driver.run({ sql: 'select sealed from api_keys', params: [] }))[0]
    const [sealed] = (await read()) as [string]
    expect(sealed).toMatch(/^[\w+/=]{60,}$/)
    expect(atob(sealed)).not.toContain(key)
    await ds.stop()
    ds = await startInProcess()
    admin = await ds.login()
    await ds.request('PUT', '/v3/organizations', { token: admin, body: { name: 'Org' } })
    await putLabel()
    expect(await read()).toEqual([null])
  })
})

describe('what a gateway says of a request', () => {
  afterEach(() => ds.stop())
  const exchange = (headers: Readonly<Record<string, string>>, from = '10.0.0.1') =>
    ds.request('GET', '/v3/tokens/application', { headers, from })
  const status = async (headers: Readonly<Record<string, string>>, from?: string) =>
    (await exchange(headers, from)).status

  test('counts with its secret and from a trusted proxy, and for a key that works', async () => {
    proves('gateway-vouches')
    await start()
    const named = standIn.check(await putLabel()) ?? {}
    const other = standIn.check(await putLabel('Other')) ?? {}
    const gateway = { 'x-gateway-secret': secret }
    const { status: answered, json } = await exchange({ ...gateway, ...named })
    expect(answered).toBe(200)
    expect(JSON.parse(atob(json.data.split('.')[1])).sub).toBe('till')
    const credential = 'x-credential-identifier'
    for (const [headers, from] of [
      [named],
      [{ ...named, 'x-gateway-secret': '' }],
      [{ ...named, 'x-gateway-secret': `${secret.slice(0, -1)}x` }],
      [{ ...gateway, ...named }, '10.0.0.2'],
      [{ ...gateway, ...named }, '127.0.0.1'],
      [{ ...gateway }],
      [{ ...gateway, ...named, [credential]: '' }],
      [{ ...gateway, ...named, [credential]: other[credential] ?? '' }],
      [{ ...gateway, ...named, 'x-consumer-custom-id': 'tills:application:other' }],
      [{ ...gateway, ...named, 'x-consumer-custom-id': 'cardwire:application:till' }],
      [{ ...gateway, ...named, 'x-consumer-custom-id': 'tills:application:ti%6Cl' }],
      [{ ...gateway, 'x-anonymous-consumer': 'true' }],
    ] as readonly (readonly [Record<string, string>, string?])[])
      expect([headers, await status(headers, from)]).toEqual([headers, 401])
    standIn.isDown = true
    await send('DELETE', '/v3/labels/till/key')
    // Kong does not know it yet.
    expect(await status({ ...gateway, ...named })).toBe(401)
  })

  test('never counts without a secret in the settings', async () => {
    proves('gateway-vouches')
    await start({ DS_GATEWAY_SECRET: '' })
    const named = standIn.check(await putLabel()) ?? {}
    for (const sent of ['', 'undefined', secret])
      expect(await status({ ...named, 'x-gateway-secret': sent })).toBe(401)
  })

  test('is the only thing that counts without built-in', async () => {
    proves('gateway-vouches')
    await start({ DS_GATEWAY: 'kong' })
    const apikey = await putLabel()
    const named = standIn.check(apikey) ?? {}
    expect(await status({ apikey })).toBe(401)
    expect(await status({ apikey, 'x-gateway-secret': secret })).toBe(401)
    expect(await status({ ...named, 'x-gateway-secret': secret })).toBe(200)
  })

  test('replaces no key: with a secret that is wrong, the right key is refused, too', async () => {
    proves('gateway-vouches')
    await start()
    const apikey = await putLabel()
    expect(await status({ apikey })).toBe(200)
    expect(await status({ apikey, 'x-gateway-secret': secret })).toBe(200)
    expect(await status({ apikey, 'x-gateway-secret': 'wrong' })).toBe(401)
  })
})

test.each(['Node', 'Deno'] as const)(
  'gateway sync beside the service on %s prints what it would change, does it with --yes, and then has nothing to do',
  async (runtime) => {
    proves('kong-keys')
    now = Date.now()
    const service = await startDistributionService(runtimes[runtime], {
      ...settings,
      DS_TRUST_PROXY: '127.0.0.1',
    })
    const sync = async (changes: Readonly<Record<string, string>>, ...args: readonly string[]) => {
      const { status, out, err } = await runProgram(
        [...administratorsCommand, 'gateway', 'sync', ...args],
        {
          cwd: root,
          env: createEnvironment(service.folder, {
            DS_DATABASE: service.database,
            ...settings,
            ...changes,
          }),
        },
      )
      return [status, out, err]
    }
    const { id, apiKey } = await createLabel(service, await service.login())
    const name = `tills:application:${id}`
    expect(standIn.check(apiKey)).toBeDefined()
    expect(await sync({})).toEqual([0, 'Nothing to change.\n', ''])
    await kong('DELETE', `/consumers/${encodeURIComponent(name)}`)
    await kong('PUT', '/consumers/tills%3Aapplication%3Aghost', { tags: ['tills'] })
    const credential = /[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/.source
    const plan = `kong\tremove consumer\ttills:application:ghost\nkong\tadd consumer\t${name}\nkong\tadd key\t${name}\t${credential}\n`
    const [code, out] = await sync({})
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^${plan}Nothing was changed. To do it, run this again with --yes\n$`),
      ),
    ])
    expect(standIn.check(apiKey)).toBeUndefined()
    expect((await sync({}, '--yes'))[1]).toMatch(new RegExp(`^${plan}Changed 3.\n$`))
    expect(standIn.check(apiKey)).toBeDefined()
    expect(await sync({}, '--yes')).toEqual([0, 'Nothing to change.\n', ''])
    expect(await sync({ DS_KONG_TOKEN: 'wrong' })).toEqual([
      ...[
        1,
        '',
        'Cannot compare with the gateway: Kong answered 401 to GET /consumers?tags=tills&size=1000\n',
      ],
    ])
    expect((await sync({ DS_GATEWAY: 'built-in' }))[0]).toBe(1)
    await service.stop()
  },
)
