/** Devices: registration, and what administrators see and decide. */
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK } from 'jose'
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json, ServiceResponse } from '../../../test/bed/service-request.ts'
import { createVersion, getData, nextAddress } from '../harness/arrange.ts'
import { createDevice, createIdentity, type RequestChanges, register } from '../harness/device.ts'

export function deviceSuite(service: () => DistributionService): void {
  const admin = async (method: string, path: string) =>
    service().request(method, path, { token: await service().login() })
  const version = async (overrides: Json = {}) =>
    createVersion(service(), await service().login(), overrides)
  const list = async (query: string) => getData(await admin('GET', `/v3/devices?${query}`))

  test('POST /v3/devices registers with the installation key, and returns id, address, keys and cycle', async () => {
    proves('device-registration')
    const { id, installationApiKey } = await version()
    const device = await createIdentity()
    const answer = await register(service(), device, installationApiKey, { version: id })
    expect(answer.status).toBe(201)
    const { data } = answer.json
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: service().url,
      replyKeys: [expect.any(Object), expect.any(Object)],
      cycle: 28_800,
      signed: expect.any(String),
    })
    const [first] = data.replyKeys
    const signed = await compactVerify(data.signed, await importJWK(first, 'ES256'))
    expect(signed.protectedHeader).toEqual({
      alg: 'ES256',
      typ: 'cw-registration+jws',
      kid: first.kid,
    })
    const { signed: _, ...plain } = data
    expect(JSON.parse(new TextDecoder().decode(signed.payload))).toEqual({
      ...plain,
      aud: device.fingerprint,
      re: expect.stringMatching(/^.{16,64}$/),
      iat: expect.any(Number),
    })
    const keys = getData(await admin('GET', '/v3/signing-keys'))
    const states = Object.fromEntries(keys.map((key: Json) => [key.id, key.state]))
    expect(data.replyKeys.map(({ kid }: Json) => states[kid]).sort()).toEqual([
      'signing',
      'standby',
    ])
    const stored = getData(await admin('GET', `/v3/devices/${data.id}`))
    expect(stored).toMatchObject({
      id: data.id,
      fingerprint: device.fingerprint,
      version: id,
      platform: 'UNIX',
      blocked: false,
      registrations: 1,
      faults: [],
    })
  })

  test('GET /v3/devices/successions lists the endorsements of the keys of replies for anyone but a page', async () => {
    const { id, installationApiKey } = await version()
    const answer = await register(service(), await createIdentity(), installationApiKey, {
      version: id,
    })
    const [first, standby] = answer.json.data.replyKeys
    const path = '/v3/devices/successions'
    const words: string[] = getData(await service().request('GET', path))
    const word = words.find((one) => (decodeJwt(one)['key'] as Json).kid === standby.kid) ?? ''
    const { protectedHeader } = await compactVerify(word, await importJWK(first, 'ES256'))
    expect(protectedHeader).toEqual({
      alg: 'ES256',
      typ: 'cw-succession+jws',
      kid: first.kid,
      jwk: first,
    })
    const headers = { origin: 'https://page.example' }
    expect((await service().request('GET', path, { headers })).json.code).toBe('page-refused')
  })

  test('POST /v3/devices keeps the id of a known identity key, and counts its registrations', async () => {
    const { id, installationApiKey } = await version()
    const identity = await createIdentity()
    const body = { version: id, device: { hostname: 'again.example' } }
    const first = await register(service(), identity, installationApiKey, body)
    const second = await register(service(), identity, installationApiKey, body)
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.json.data.id).toBe(first.json.data.id)
    expect(getData(await admin('GET', `/v3/devices/${first.json.data.id}`)).registrations).toBe(2)

    const reinstalled = await register(service(), await createIdentity(), installationApiKey, body)
    expect(reinstalled.status).toBe(201)
    expect((await list('hostname=AGAIN.example')).total).toBe(2)
  })

  test('POST /v3/devices refuses a version that is not registered', async () => {
    const { installationApiKey } = await version()
    const answer = await register(service(), await createIdentity(), installationApiKey, {
      version: '9.9.9',
    })
    expect([answer.status, answer.json.code]).toEqual([404, 'version-unknown'])
  })

  test('POST /v3/devices refuses a request without an installation key', async () => {
    const { id } = await version()
    const from = nextAddress()
    const other = crypto.randomUUID()
    const answer = await register(
      service(),
      await createIdentity(),
      other,
      { version: id },
      { from },
    )
    expect([answer.status, answer.json.code]).toEqual([401, 'api-key-refused'])
  })

  test('POST /v3/devices logs a refusal with the address and the reason, and never the key', async () => {
    proves('registration-failures-shown')
    const { id, installationApiKey } = await version()
    const from = nextAddress()
    const wrongKey = crypto.randomUUID()
    const send = async (key: string, changes: RequestChanges = {}) => {
      const identity = await createIdentity()
      return register(service(), identity, key, { version: id }, { from, changes })
    }
    const refused = await send(wrongKey)
    const late = await send(installationApiKey, { claims: { iat: 1 } })
    expect([refused.status, late.status]).toEqual([401, 401])
    const lineOf = ({ headers }: ServiceResponse) =>
      service()
        .output()
        .split('\n')
        .find(
          (line) =>
            line.includes('registration refused') &&
            line.includes(headers.get('x-request-id') ?? 'none'),
        )
    await expect.poll(() => lineOf(late)).toBeDefined()
    expect(lineOf(refused)).toContain(`"address":"${from}"`)
    expect(lineOf(refused)).toContain('"reason":"api-key-refused"')
    expect(lineOf(late)).toContain(`"version":"${id}"`)
    expect(lineOf(late)).toMatch(/"reason":"(clock-skewed|assertion-refused)"/)
    expect(service().output()).not.toContain(wrongKey)
  })

  test('POST /v3/devices refuses an assertion by another key than the registered one', async () => {
    const { id, installationApiKey } = await version()
    const [identity, other] = [await createIdentity(), await createIdentity()]
    const answer = await register(
      service(),
      { ...identity, privateKey: other.privateKey },
      installationApiKey,
      { version: id },
    )
    expect([answer.status, answer.json.code]).toEqual([401, 'assertion-refused'])
  })

  test('POST /v3/devices refuses a key that is no point of the curve', async () => {
    const { id, installationApiKey } = await version()
    const identity = await createIdentity()
    const key = { ...identity.key, y: identity.key.x }
    const answer = await register(service(), identity, installationApiKey, { version: id, key })
    expect([answer.status, answer.json.code]).toEqual([401, 'assertion-refused'])
  })

  test('GET /v3/devices filters by version, system, time, verdict and block', async () => {
    const own = await version()
    const [unix, windows] = [
      await createDevice(service(), own),
      await createDevice(service(), own, { platform: 'WIN64' }),
    ]
    await unix.sync()
    const ids = async (query: string) =>
      (await list(`version=${own.id}&${query}`)).items.map(({ id }: Json) => id)
    expect((await ids('size=100')).sort()).toEqual([unix.id, windows.id].sort())
    expect(await ids('os=WIN64')).toEqual([windows.id])
    expect(await ids('verdict=none')).toEqual([unix.id])
    expect(await ids('blocked=true')).toEqual([])
    const { lastSeenAt } = getData(await admin('GET', `/v3/devices/${unix.id}`))
    expect(await ids(`seenBefore=${lastSeenAt}`)).toEqual([windows.id])
    expect(await ids(`seenAfter=${lastSeenAt}`)).toEqual([])
    expect(await list(`version=${own.id}&size=1&page=2`)).toMatchObject({ total: 2, items: [{}] })
  })

  test('GET /v3/devices/summary counts the devices by state, and those of today by version and platform', async () => {
    const own = await version()
    const summarize = async () => getData(await admin('GET', '/v3/devices/summary'))
    const before = await summarize()
    const devices = [
      await createDevice(service(), own),
      await createDevice(service(), own),
      await createDevice(service(), own, { platform: 'WIN64' }),
    ]
    await devices[0]?.sync({
      faults: [{ kind: 'keystore-failed', detail: '', at: '2026-01-01T00:00:00Z' }],
    })
    await admin('POST', `/v3/devices/${devices[1]?.id}/block`)
    const after = await summarize()
    expect(after.devices - before.devices).toBe(3)
    expect([after.blocked - before.blocked, after.faulty - before.faulty]).toEqual([1, 1])
    expect(after.days.filter(({ version: id }: Json) => id === own.id)).toEqual([
      { day: after.at.slice(0, 10), version: own.id, platform: 'UNIX', count: 2 },
      { day: after.at.slice(0, 10), version: own.id, platform: 'WIN64', count: 1 },
    ])
    expect((await admin('GET', '/v3/devices/summary?days=0')).status).toBe(422)
  })

  test('a blocked device is refused by every operation until it is unblocked', async () => {
    const own = await version()
    const device = await createDevice(service(), own)
    const blocked = getData(await admin('POST', `/v3/devices/${device.id}/block`))
    expect(blocked.blocked).toBe(true)
    const refused = [
      await device.sync(),
      await device.request('GET', '/v3/devices/keystore'),
      await device.request('POST', '/v3/devices/logs', new Uint8Array([1])),
      await register(service(), device, own.installationApiKey, { version: own.id }),
    ]
    for (const { status, json } of refused)
      expect([status, json.code]).toEqual([403, 'device-blocked'])
    // A registration follows no policy that would have to end.
    const signed = refused.map(({ json }) => json.refusal)
    const replyKeys = device.registration.replyKeys.map((key: Json) => key.kid)
    expect(signed.pop()).toBeUndefined()
    for (const refusal of signed) {
      const { kid, jwk, ...header } = decodeProtectedHeader(refusal)
      expect(header).toEqual({ alg: 'ES256', typ: 'cw-refusal+jws' })
      expect([jwk?.kid, replyKeys]).toEqual([kid, expect.arrayContaining([kid])])
      expect(decodeJwt(refusal)).toMatchObject({ aud: device.id, code: 'device-blocked' })
    }
    await admin('POST', `/v3/devices/${device.id}/unblock`)
    expect((await device.sync()).status).toBe(200)
  })

  test('DELETE /v3/devices/{id} removes a device, which then has to register again', async () => {
    const own = await version()
    const device = await createDevice(service(), own)
    expect((await admin('DELETE', `/v3/devices/${device.id}`)).status).toBe(200)
    expect((await admin('GET', `/v3/devices/${device.id}`)).json.code).toBe('device-unknown')
    const refused = await device.sync()
    expect([refused.status, refused.json.code]).toEqual([404, 'device-unknown'])
    const { kid = '', jwk, ...header } = decodeProtectedHeader(refused.json.refusal)
    expect([header, jwk?.kid]).toEqual([{ alg: 'ES256', typ: 'cw-refusal+jws' }, kid])
    expect(device.registration.replyKeys.map((key: Json) => key.kid)).toContain(kid)
    const { payload } = await compactVerify(
      refused.json.refusal,
      await importJWK(jwk ?? {}, 'ES256'),
    )
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      ...{ aud: device.id, code: 'device-unknown' },
      ...{ re: expect.stringMatching(/^.{16,64}$/), iat: expect.any(Number) },
    })
    const again = await createDevice(service(), own, {}, device)
    expect(again.id).not.toBe(device.id)
    expect((await again.sync()).status).toBe(200)
  })

  test('POST /v3/devices/logs stores the newest logs for administrators', async () => {
    const device = await createDevice(service(), await version())
    const missing = await admin('GET', `/v3/devices/${device.id}/logs`)
    expect([missing.status, missing.json.code]).toEqual([404, 'logs-unknown'])
    const bytes = (first: number) => Uint8Array.from({ length: 20_000 }, (_, at) => first + at)
    await device.request('POST', '/v3/devices/logs', bytes(1))
    const left = await device.request('POST', '/v3/devices/logs', bytes(2))
    expect(left.json.data).toEqual({ size: 20_000, receivedAt: expect.any(String) })
    const response = await fetch(new URL(`/v3/devices/${device.id}/logs`, service().url), {
      headers: { authorization: `Bearer ${await service().login()}` },
    })
    expect(response.headers.get('content-type')).toBe('application/gzip')
    expect(response.headers.get('content-disposition')).toContain('attachment')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes(2))
  })

  test('POST /v3/devices/logs refuses more than 1 MiB', async () => {
    const device = await createDevice(service(), await version())
    const large = await device.request('POST', '/v3/devices/logs', new Uint8Array(1024 * 1024 + 1))
    expect([large.status, large.json.code]).toEqual([413, 'body-too-large'])
    const most = await device.request('POST', '/v3/devices/logs', new Uint8Array(1024 * 1024))
    expect(most.status).toBe(200)
  })
}
