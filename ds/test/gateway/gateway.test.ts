/** The gateway suite on the gateway that the service carries, and on a second one over HTTP. */
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { isKeyPublic } from '../../src/routes/embed-settings.ts'
import { createIdentity, register } from '../harness/device.ts'
import { type InProcess, startInProcess } from '../harness/in-process.ts'
import { gatewaySuite } from './gateway.suite.ts'
import { gatewayServer, httpGateway } from './http-gateway.ts'

async function overHttp() {
  let now = 0
  const server = createAdaptorServer({ fetch: gatewayServer(() => now).fetch })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    gateway: httpGateway((path, init) => fetch(base + path, init)),
    pass(seconds: number) {
      now += seconds
    },
    now: () => now * 1000,
    stop: () => new Promise<void>((closed) => void server.close(() => closed())),
  }
}

gatewaySuite('built-in gateway', async () => {
  const ds = await startInProcess()
  return {
    gateway: ds.services.gateway,
    pass(seconds) {
      ds.now += seconds * 1000
    },
    now: () => ds.now,
    stop: ds.stop,
  }
})

gatewaySuite('gateway over HTTP', overHttp)

test('a key that was replaced at once stays out when the clock is set back', async () => {
  proves('nodes-race')
  const ds = await startInProcess()
  const { gateway } = ds.services
  const shop = { kind: 'application', id: 'shop' } as const
  await gateway.register(shop, 'first-key')
  await gateway.rotate(shop, 'second-key', 0)
  ds.now -= 3_600_000
  expect(await gateway.lookup('first-key')).toBeUndefined()
  expect(await gateway.lookup('second-key')).toEqual(shop)
  await ds.stop()
})

test('a key that was replaced with an overlap while the clock was ahead is out when it is right, and stays out', async () => {
  proves('service-clock-jump')
  const ds = await startInProcess()
  const { gateway } = ds.services
  const shop = { kind: 'application', id: 'shop' } as const
  await gateway.register(shop, 'first-key')
  const aheadMs = 400 * 86_400_000
  ds.now += aheadMs
  await gateway.rotate(shop, 'second-key', 3600)
  expect(await gateway.lookup('first-key')).toEqual(shop)
  ds.now -= aheadMs
  expect(await gateway.lookup('first-key')).toBeUndefined()
  // The key before keeps its earlier end, and the one before that gets none anew.
  await gateway.rotate(shop, 'third-key', 3600)
  const keys = ['first-key', 'second-key', 'third-key']
  expect(await Promise.all(keys.map((key) => gateway.lookup(key)))).toEqual([undefined, shop, shop])
  await ds.stop()
})

test('service checks every key through the gateway it is given', async () => {
  proves('label-key-generated')
  const { gateway, stop } = await overHttp()
  const ds = await startInProcess({}, (services) => ({ ...services, gateway }))
  const token = await ds.login()
  const organization = await ds.request('PUT', '/v3/organizations', {
    token,
    body: { name: 'Org' },
  })
  const body = { name: 'Label', orgId: organization.json.data.id }
  const { apiKey } = (await ds.request('PUT', '/v3/labels', { token, body })).json.data
  expect(await gateway.lookup(apiKey)).toEqual({ kind: 'application', id: 'label' })
  const exchange = () =>
    ds.request('GET', '/v3/tokens/application', { headers: { apikey: apiKey } })
  expect((await exchange()).status).toBe(200)
  await ds.request('DELETE', '/v3/labels/label/key?maxReach=0', { token })
  expect((await exchange()).status).toBe(401)
  await ds.stop()
  await stop()
})

/** A service whose gateway lets something else happen before it does what it is asked. */
async function interrupted(
  verb: 'register' | 'rotate',
  meanwhile: (ds: InProcess, token: string) => Promise<unknown>,
) {
  const { gateway, stop } = await overHttp()
  let once = true
  let token = ''
  const meet = async (key: string) => {
    if (!once || key !== armed) return
    once = false
    await meanwhile(ds, token)
  }
  const ds: InProcess = await startInProcess({}, (services) => ({
    ...services,
    gateway: {
      ...gateway,
      async register(consumer, key, entry) {
        if (verb === 'register') await meet(key)
        return gateway.register(consumer, key, entry)
      },
      async rotate(consumer, key, overlapS, entry) {
        if (verb === 'rotate') await meet(key)
        return gateway.rotate(consumer, key, overlapS, entry)
      },
    },
  }))
  token = await ds.login()
  const finish = async () => {
    await ds.stop()
    await stop()
  }
  return { ds, token, gateway, finish }
}

const armed = crypto.randomUUID()
const version = (changes: object = {}) => ({
  id: '1.0.0',
  recommended: false,
  mandatory: false,
  allowed: true,
  uris: [],
  ...changes,
})

test('label removed while it gets a key leaves no valid key', async () => {
  const { ds, token, gateway, finish } = await interrupted('rotate', (other, bearer) =>
    other.request('DELETE', '/v3/labels/label', { token: bearer }),
  )
  await ds.request('PUT', '/v3/organizations', { token, body: { name: 'Org' } })
  await ds.request('PUT', '/v3/labels', { token, body: { name: 'Label', orgId: 'org' } })
  const rotated = await ds.request('POST', '/v3/labels/label/key', {
    token,
    body: { apiKey: armed },
  })
  expect([rotated.status, rotated.json.code]).toEqual([404, 'label-unknown'])
  expect(await gateway.lookup(armed)).toBeUndefined()
  const again = await ds.request('PUT', '/v3/labels', {
    token,
    body: { name: 'Label', orgId: 'org' },
  })
  expect(again.status).toBe(201)
  await finish()
})

test('refused creation keeps a row that another request has changed since', async () => {
  const { ds, token, gateway, finish } = await interrupted('register', async (other, bearer) => {
    await gateway.register({ kind: 'registration', id: 'other' }, armed)
    const body = version({ recommended: true })
    return other.request('PUT', '/v3/versions', { token: bearer, body })
  })
  const refused = await ds.request('PUT', '/v3/versions', {
    token,
    body: version({ installationApiKey: armed }),
  })
  expect([refused.status, refused.json.code]).toEqual([409, 'api-key-taken'])
  const kept = await ds.request('GET', '/v3/versions/1.0.0', { token })
  expect([kept.status, kept.json.data.recommended]).toEqual([200, true])
  await finish()
})

test('refused creation keeps a row that others refer to by now, and is reported as refused', async () => {
  const { ds, token, gateway, finish } = await interrupted('register', async (other, bearer) => {
    await gateway.register({ kind: 'registration', id: 'other' }, armed)
    const body = { type: 'CONTEXT_CONFIG', versionId: '1.0.0', config: { cors: [] } }
    return other.request('PUT', '/v3/configurations', { token: bearer, body })
  })
  const refused = await ds.request('PUT', '/v3/versions', {
    token,
    body: version({ installationApiKey: armed }),
  })
  expect([refused.status, refused.json.code]).toEqual([409, 'api-key-taken'])
  await finish()
})

test('consumer that an interrupted removal left behind does not prevent a new version', async () => {
  const { gateway, stop } = await overHttp()
  const ds = await startInProcess({}, (services) => ({ ...services, gateway }))
  const token = await ds.login()
  await gateway.register({ kind: 'registration', id: '1.0.0' }, armed)
  const created = await ds.request('PUT', '/v3/versions', { token, body: version() })
  expect(created.status).toBe(201)
  expect(await gateway.lookup(armed)).toBeUndefined()
  expect(await gateway.lookup(created.json.data.installationApiKey)).toEqual({
    kind: 'registration',
    id: '1.0.0',
  })
  await ds.stop()
  await stop()
})

/** A service whose process ends before its gateway has removed a consumer. */
async function endedAtRemoval(kind: 'built-in' | 'over HTTP') {
  const other = kind === 'over HTTP' ? await overHttp() : undefined
  const ds: InProcess = await startInProcess({}, (services) => ({
    ...services,
    gateway: {
      ...(other?.gateway ?? services.gateway),
      remove: () => Promise.reject(new Error('the process ends')),
    },
  }))
  const stop = async () => {
    await ds.stop()
    await other?.stop()
  }
  return { ds, token: await ds.login(), stop }
}

describe.each(['built-in', 'over HTTP'] as const)('with a gateway that is %s', (kind) => {
  test('the key of a removed version registers no device, even if the process ends in between', async () => {
    proves('removed-owner-key')
    const { ds, token, stop } = await endedAtRemoval(kind)
    const { installationApiKey } = (
      await ds.request('PUT', '/v3/versions', { token, body: version() })
    ).json.data
    await ds.request('PUT', '/v3/versions', { token, body: version({ id: '1.0.1' }) })
    await ds.request('DELETE', '/v3/versions/1.0.0', { token })
    expect((await ds.request('GET', '/v3/versions/1.0.0', { token })).status).toBe(404)
    const { status, json } = await register(ds, await createIdentity(), installationApiKey, {
      version: '1.0.1',
    })
    expect([status, json.code]).toEqual([401, 'api-key-refused'])
    await stop()
  })

  test('the key of a removed label gives no token, even if the process ends in between', async () => {
    proves('removed-owner-key')
    const { ds, token, stop } = await endedAtRemoval(kind)
    await ds.request('PUT', '/v3/organizations', { token, body: { name: 'Org' } })
    const { apiKey } = (
      await ds.request('PUT', '/v3/labels', { token, body: { name: 'Label', orgId: 'org' } })
    ).json.data
    await ds.request('DELETE', '/v3/labels/label', { token })
    expect((await ds.request('GET', '/v3/labels/label', { token })).status).toBe(404)
    const { status, json } = await ds.request('GET', '/v3/tokens/application', {
      headers: { apikey: apiKey },
    })
    expect([status, json.code]).toEqual([401, 'api-key-refused'])
    await stop()
  })
})

test('a version and its key go in one batch, or stay', async () => {
  proves('removed-owner-key')
  const { ds, token, stop } = await endedAtRemoval('built-in')
  const put = await ds.request('PUT', '/v3/versions', { token, body: version() })
  const { installationApiKey } = put.json.data
  const body = { type: 'CONTEXT_CONFIG', versionId: '1.0.0', config: { cors: [] } }
  const { id } = (await ds.request('PUT', '/v3/configurations', { token, body })).json.data
  const remove = () => ds.request('DELETE', '/v3/versions/1.0.0', { token })
  const used = await remove()
  expect([used.status, used.json.code]).toEqual([409, 'version-in-use'])
  const holder = { kind: 'registration', id: '1.0.0' }
  expect(await ds.services.gateway.lookup(installationApiKey)).toEqual(holder)
  await ds.request('DELETE', `/v3/configurations/${id}`, { token })
  expect((await remove()).status).toBe(200)
  expect(await ds.services.gateway.lookup(installationApiKey)).toBeUndefined()
  await stop()
})

test('the key of a version that is gone counts as public', async () => {
  proves('removed-owner-key')
  const ds = await startInProcess()
  const token = await ds.login()
  const key = 'a key of no package'
  await ds.request('PUT', '/v3/versions', { token, body: version() })
  expect(await isKeyPublic(ds.services, '1.0.0', key)).toBe(false)
  await ds.request('DELETE', '/v3/versions/1.0.0', { token })
  expect(await isKeyPublic(ds.services, '1.0.0', key)).toBe(true)
  await ds.stop()
})
