/** Assertions: refused when not signed by the device, for this request, at this time, and once. */
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import {
  createDevice,
  createIdentity,
  type Device,
  type RequestChanges,
} from '../harness/device.ts'

export function replaySuite(service: () => DistributionService): void {
  const version = async () => createVersion(service(), await service().login())
  const seconds = () => Date.now() / 1000
  /** An assertion made that many seconds from now, which lasts as long as one may: one look at the clock. */
  const issuedIn = (delayS: number) => {
    const iat = Math.floor(seconds()) + delayS
    return { claims: { iat, exp: iat + 60 } }
  }

  const twists: [string, number, string, () => Promise<RequestChanges> | RequestChanges][] = [
    ['another body', 401, 'assertion-refused', () => ({ sent: '{"version":"0.0.1"}' })],
    ['a space more in the body', 401, 'assertion-refused', () => ({ sent: '{} ' })],
    [
      'another service',
      401,
      'assertion-refused',
      () => ({ claims: { aud: 'https://other.example' } }),
    ],
    [
      'another key',
      401,
      'assertion-refused',
      async () => ({ signer: (await createIdentity()).privateKey }),
    ],
    ['another typ', 401, 'assertion-refused', () => ({ header: { typ: 'at+jwt' } })],
    ['no typ', 401, 'assertion-refused', () => ({ header: { typ: undefined } })],
    ['another issuer', 401, 'assertion-refused', () => ({ claims: { iss: crypto.randomUUID() } })],
    ['no jti', 401, 'assertion-refused', () => ({ claims: { jti: undefined } })],
    ['a sub that is no text', 401, 'assertion-refused', () => ({ claims: { sub: { a: 1 } } })],
    ['an iat that is a text', 401, 'assertion-refused', () => ({ claims: { iat: 'now' } })],
    ['a life over 60 s', 401, 'assertion-refused', () => ({ claims: { exp: seconds() + 120 } })],
    ['a clock a minute behind', 401, 'clock-skewed', () => issuedIn(-61)],
    ['a clock a minute ahead', 401, 'clock-skewed', () => issuedIn(80)],
    ['an assertion for its logs', 401, 'assertion-refused', () => ({ path: '/v3/devices/logs' })],
    ['an assertion for a GET', 401, 'assertion-refused', () => ({ method: 'GET' })],
    ['no htm', 401, 'assertion-refused', () => ({ claims: { htm: undefined } })],
    ['no htu', 401, 'assertion-refused', () => ({ claims: { htu: undefined } })],
    ['no token', 401, 'assertion-refused', () => ({ token: '' })],
    ['a token that is none', 401, 'assertion-refused', () => ({ token: 'a.b.c' })],
    [
      'a device that never was',
      404,
      'device-unknown',
      () => {
        const id = crypto.randomUUID()
        return { claims: { iss: id, sub: id } }
      },
    ],
  ]
  test.each(twists)('POST /v3/devices/sync refuses %s', async (_, status, code, twist) => {
    proves('log-flood', 'assertion-elsewhere')
    const own = await version()
    const device = await createDevice(service(), own)
    const refused = await device.sync({ device: { hostname: 'planted' } }, await twist())
    expect([refused.status, refused.json.code]).toEqual([status, code])
    const serverTime = Date.parse(refused.headers.get('date') ?? '')
    if (code === 'clock-skewed') expect(Math.abs(serverTime - Date.now())).toBeLessThan(60_000)
    const token = await service().login()
    const stored = getData(await service().request('GET', `/v3/devices/${device.id}`, { token }))
    expect([stored.device, stored.revision]).toEqual([{}, 0])
    expect((await device.sync()).status).toBe(200)
  })

  test('an assertion signed with a shared secret or none is refused', async () => {
    const device = await createDevice(service(), await version())
    const claims = decodeJwt(await device.createAssertion('{}'))
    const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const alg of ['none', 'HS256']) {
      const token = `${part({ alg, typ: 'cw-device+jwt' })}.${part(claims)}.AAAA`
      const refused = await device.sync({}, { token })
      expect([refused.status, refused.json.code]).toEqual([401, 'assertion-refused'])
    }
  })

  test('an assertion works once, for every operation of a device', async () => {
    const device = await createDevice(service(), await version())
    const again = async (method: string, path: string, body?: Uint8Array) => {
      const token = await device.createAssertion(body ?? '', { method, path })
      const first = await device.request(method, path, body, { token })
      const second = await device.request(method, path, body, { token })
      expect([second.status, second.json.code]).toEqual([409, 'assertion-replayed'])
      return first.status
    }
    const body = JSON.stringify({ version: (await version()).id, platform: 'UNIX' })
    const token = await device.createAssertion(body)
    const sync = () => device.sync({}, { token, sent: body })
    expect((await sync()).status).toBe(200)
    expect((await sync()).json.code).toBe('assertion-replayed')
    expect(await again('POST', '/v3/devices/logs', new Uint8Array([7]))).toBe(200)
    expect(await again('GET', '/v3/devices/keystore')).toBe(404)
  })

  test('an assertion older than the newest one is a replay, whenever it was made', async () => {
    const device = await createDevice(service(), await version())
    const body = JSON.stringify({ version: (await version()).id, platform: 'UNIX' })
    const [first, second] = [await device.createAssertion(body), await device.createAssertion(body)]
    const send = (token: string) => device.sync({}, { token, sent: body })
    expect((await send(second)).status).toBe(200)
    expect((await send(first)).json.code).toBe('assertion-replayed')
    expect((await device.sync()).status).toBe(200)
  })

  test('a synchronization that changes nothing is written once a day, and has no effect when it is sent again', async () => {
    const own = await version()
    const device = await createDevice(service(), own)
    const { state } = (await device.sync()).reply
    const token = await service().login()
    const read = async () =>
      getData(await service().request('GET', `/v3/devices/${device.id}`, { token }))
    const before = await read()
    const body = JSON.stringify({ version: own.id, platform: 'UNIX', state })
    const assertion = await device.createAssertion(body)
    const send = () => device.sync({}, { token: assertion, sent: body })
    expect((await send()).reply).toMatchObject({ unchanged: true, revision: before.revision })
    expect((await send()).reply).toMatchObject({ unchanged: true, revision: before.revision })
    expect(await read()).toEqual(before)
  })

  test('a synchronization that changed nothing is refused as a replay when it would change something', async () => {
    const own = await version()
    const device = await createDevice(service(), own)
    const { state } = (await device.sync()).reply
    const body = JSON.stringify({ version: own.id, platform: 'UNIX', state })
    const assertion = await device.createAssertion(body)
    const send = () => device.sync({}, { token: assertion, sent: body })
    expect((await send()).reply.unchanged).toBe(true)
    expect((await device.sync({ state, device: { hostname: 'renamed' } })).status).toBe(200)
    const refused = await send()
    expect([refused.status, refused.json.code]).toEqual([409, 'assertion-replayed'])
    const token = await service().login()
    const stored = getData(await service().request('GET', `/v3/devices/${device.id}`, { token }))
    expect(stored.device).toEqual({ hostname: 'renamed' })
  })

  test('one assertion sent ten times at once is accepted once', async () => {
    const device = await createDevice(service(), await version())
    const body = JSON.stringify({ version: (await version()).id, platform: 'UNIX' })
    const token = await device.createAssertion(body)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => device.sync({}, { token, sent: body })),
    )
    const [taken, ...refused] = answers.map(({ status }) => status).sort()
    expect([taken, refused.length]).toEqual([200, 9])
    // 503: a device has four places.
    for (const status of refused) expect([409, 503]).toContain(status)
    expect(refused).toContain(409)
  })

  test('an assertion of one device is refused for another', async () => {
    const own = await version()
    const [one, other]: Device[] = [
      await createDevice(service(), own),
      await createDevice(service(), own),
    ]
    const id = other?.id
    const refused = await one?.sync({}, { claims: { iss: id, sub: id } })
    expect([refused?.status, refused?.json.code]).toEqual([401, 'assertion-refused'])
  })

  test('operations of devices refuse a web page, whatever it sends', async () => {
    const device = await createDevice(service(), await version())
    const { status, json } = await service().request('POST', '/v3/devices/sync', {
      token: await device.createAssertion('{}'),
      body: '{}',
      headers: { origin: 'https://shop.example', 'content-type': 'application/json' },
    })
    expect([status, json.code]).toEqual([403, 'page-refused'])
  })
}
