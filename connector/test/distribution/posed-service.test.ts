/** An attacker who holds a certificate for the name of the service, and drops, answers and forges: what a device stores stays. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createTokenVerifier } from '../../src/api/token-verifier.ts'
import type { HttpResponse, HttpTransport } from '../../src/distribution/client/transport.ts'
import { toSyncStatus } from '../../src/distribution/sync/sync-status.ts'
import { createTokenKeyResolver } from '../../src/distribution/sync/token-keys.ts'
import { type DeviceOptions, openDevice, type TestDevice } from './device.ts'
import { findKeyId } from './rotation.ts'

const version = '4.0.0'
const yearMs = 365 * 86_400_000

let service: DistributionService
let installationKey: string
const devices: TestDevice[] = []

beforeAll(async () => {
  service = await startDistributionService()
  installationKey = (await service.registerVersion(version)).installationApiKey
  await service.allow(version, ['https://a.example'])
})
afterAll(() => service.stop())
afterEach(() => {
  for (const device of devices.splice(0)) device.close()
})

async function createSynchronizedDevice(options: Partial<DeviceOptions> = {}): Promise<TestDevice> {
  const device = await openDevice({ dsUrl: service.url, version, installationKey, ...options })
  devices.push(device)
  await device.syncOnce()
  return device
}

const respond = (
  status: number,
  body: object,
  headers: HttpResponse['headers'] = {},
): HttpResponse => ({ status, headers, body: new TextEncoder().encode(JSON.stringify(body)) })

const refuse = (status: number, code: string, more: object = {}, headers = {}) =>
  respond(status, { success: false, code, description: 'No.', ...more }, headers)

async function createKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { kty: 'EC', ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }
  const own = { ...jwk, kid: await calculateJwkThumbprint(jwk) }
  const sign = (claims: object, typ: string, header: object = {}) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: own.kid, typ, ...header })
      .sign(privateKey)
  return { own, sign }
}
type Key = Awaited<ReturnType<typeof createKey>>

const readAssertion = (headers: Readonly<Record<string, string>> = {}) =>
  decodeJwt((headers['authorization'] ?? '').replace('Bearer ', ''))

/** Registers every device that asks, with its own keys, and signs a policy for it. */
const poseAsService =
  ({ own, sign }: Key, refuseSync: (claims: Record<string, unknown>) => unknown) =>
  (): HttpTransport => {
    let registered = false
    return async ({ url, headers }) => {
      const claims = readAssertion(headers)
      const { sub: aud = '', jti: re = '' } = claims
      const iat = Date.now() / 1000
      if (url.endsWith('/successions')) return respond(200, { success: true, data: [] })
      if (url.endsWith('/sync') && !registered) {
        return (await refuseSync(claims)) as HttpResponse
      }
      if (url.endsWith('/sync')) {
        const reply = { aud, re, iat, revision: 1, state: 'posed', acknowledged: [] }
        const policy = { unchanged: false, verdict: { action: 'none', version }, files: [] }
        const keys = { tokenKeys: [], replyKeys: [own], cors: ['https://evil.example'], cycle: 60 }
        const signed = await sign({ ...reply, ...policy, ...keys }, 'cw-reply+jws')
        return respond(200, { success: true, data: signed })
      }
      registered = true
      const registration = {
        id: crypto.randomUUID(),
        url: service.url,
        replyKeys: [own],
        cycle: 60,
      }
      const signed = await sign({ ...registration, aud, re, iat }, 'cw-registration+jws')
      return respond(200, { success: true, data: { ...registration, signed } })
    }
  }

const readStateFile = ({ runtime }: TestDevice) =>
  readFileSync(join(runtime, 'service.json'), 'utf8')

describe('a device without fingerprints in its settings', () => {
  const date = (ms: number) => ({ date: new Date(Date.now() + ms).toUTCString() })
  const refusal = async (
    { own, sign }: Key,
    claims: { readonly code: string } & Record<string, unknown>,
    header: object = { jwk: own },
    status = 404,
  ) => refuse(status, claims.code, { refusal: await sign(claims, 'cw-refusal+jws', header) })
  const unknown = { iat: Date.now() / 1000, code: 'device-unknown' }
  const blocked = { iat: Date.now() / 1000, code: 'device-blocked' }

  const answers: Readonly<Record<string, (key: Key, claims: Record<string, unknown>) => unknown>> =
    {
      'that the device is unknown': () => refuse(404, 'device-unknown'),
      'that the device is unknown, signed by an own key': (key, { sub, jti }) =>
        refusal(key, { ...unknown, aud: sub, re: jti }),
      'that the device is unknown, signed by an own key under the name of the real one': async (
        key,
        { sub, jti },
      ) =>
        refusal(
          key,
          { ...unknown, aud: sub, re: jti },
          { jwk: key.own, kid: await findKeyId(service, 'signing') },
        ),
      'that the device is unknown, in no JWS': () =>
        refuse(404, 'device-unknown', { refusal: 'a.b.c' }),
      'that the device is blocked': () => refuse(403, 'device-blocked'),
      'that the device is blocked, signed by an own key': (key, { sub, jti }) =>
        refusal(key, { ...blocked, aud: sub, re: jti }, { jwk: key.own }, 403),
      'that the clock is wrong by a year': () => refuse(401, 'clock-skewed', {}, date(yearMs)),
      'that the assertion was replayed': () => refuse(401, 'assertion-replayed', {}, date(yearMs)),
      'that the assertion is refused': () => refuse(401, 'assertion-refused'),
      'that the installation key is refused': () => refuse(401, 'api-key-refused'),
      'that the version is unknown': () => refuse(422, 'version-unknown'),
      'that the service is gone': () => respond(410, {}),
      'that there is nothing': () => respond(404, {}),
      'a reply by an own key': async ({ sign }, { sub, jti }) =>
        respond(200, {
          success: true,
          data: await sign({ aud: sub, re: jti, iat: Date.now() / 1000 }, 'cw-reply+jws'),
        }),
    }

  test.each(Object.entries(answers))('that gets %s keeps what it stored', async (_, answer) => {
    proves('refusal-forged')
    const known = await createSynchronizedDevice()
    const [policy, before] = [known.policy(), readStateFile(known)]
    const key = await createKey()
    const fooled = await known.restart({
      wrapTransport: poseAsService(key, (claims) => answer(key, claims)),
    })
    await expect(fooled.syncOnce()).rejects.toThrow()
    expect(fooled.policy()).toEqual(policy)
    expect(readStateFile(fooled)).toBe(before)
    // The installation key and the offset of the clock: for the service only.
    expect(fooled.calls.filter(({ url }) => url.endsWith('/v3/devices'))).toEqual([])
    expect(fooled.clockOffsetMs()).toBeCloseTo(known.clockOffsetMs(), 0)
    const back = await fooled.restart({ wrapTransport: (link) => link })
    await back.syncOnce()
    expect(back.policy()).toEqual(policy)
  })

  test('takes no statement of the service for another one', async () => {
    proves('refusal-forged')
    const known = await createSynchronizedDevice()
    const before = readStateFile(known)
    const path = `/v3/devices/${known.state()?.device}`
    await service.admin('POST', `${path}/block`)
    const wrapTransport =
      (link: HttpTransport): HttpTransport =>
      async (call) => {
        const answer = await link(call)
        const { refusal } = JSON.parse(new TextDecoder().decode(answer.body))
        return answer.status === 403 ? refuse(404, 'device-unknown', { refusal }) : answer
      }
    const fooled = await known.restart({ wrapTransport })
    await expect(fooled.syncOnce()).rejects.toThrow('it is about something else')
    expect([fooled.isBlocked(), readStateFile(fooled)]).toEqual([false, before])
    await service.admin('POST', `${path}/unblock`)
  })

  test('whose settings name another key does not register for a header that names it', async () => {
    proves('refusal-forged')
    const known = await createSynchronizedDevice()
    const [before, { own, sign }] = [readStateFile(known), await createKey()]
    const kid = 'A'.repeat(43)
    const claims = { iat: Date.now() / 1000, unchanged: true }
    for (const header of [{ kid }, { kid, jwk: own }, { kid, jwk: { ...own, kid } }]) {
      const answer = async ({ sub, jti }: Record<string, unknown>) =>
        respond(200, {
          success: true,
          data: await sign({ ...claims, aud: sub, re: jti }, 'cw-reply+jws', header),
        })
      const wrapTransport = poseAsService({ own, sign }, answer)
      const fooled = await known.restart({ fingerprints: [kid], wrapTransport })
      await expect(fooled.syncOnce()).rejects.toThrow('not one that was announced')
      expect(fooled.calls.filter(({ url }) => url.endsWith('/v3/devices'))).toEqual([])
      expect(readStateFile(fooled)).toBe(before)
    }
  })

  test('that was deleted does not register with a refusal of before, or of another device', async () => {
    proves('refusal-forged')
    const [known, other] = [await createSynchronizedDevice(), await createSynchronizedDevice()]
    const captured: HttpResponse[] = []
    const capture =
      (link: HttpTransport): HttpTransport =>
      async (call) => {
        const answer = await link(call)
        if (answer.status === 404) captured.push(answer)
        return answer
      }
    for (const { state } of [known, other])
      await service.admin('DELETE', `/v3/devices/${state()?.device}`)
    for (const one of [known, other]) {
      const keyless = await one.restart({ installationKey: undefined, wrapTransport: capture })
      await expect(keyless.syncOnce()).rejects.toMatchObject({ code: 'installation-key-missing' })
    }
    expect(captured).toHaveLength(2)
    for (const answer of captured) {
      const wary = await known.restart({ wrapTransport: () => async () => answer })
      await expect(wary.syncOnce()).rejects.toThrow('does not know this connector, but it')
      expect(wary.calls).toHaveLength(1)
    }
    const back = await known.restart()
    await back.syncOnce()
    expect(back.policy()?.aud).toBe(back.state()?.device)
  })
})

describe('a token that names an unknown key', () => {
  const verifierOf = (device: TestDevice) =>
    createTokenVerifier(
      true,
      {
        getKey: createTokenKeyResolver({
          policy: device.policy,
          synchronize: () =>
            device.syncOnce().then(() => ({ kind: 'good', at: Date.now() }), toSyncStatus),
          clock: Date.now,
        }),
        issuers: () => [service.url],
        clockOffsetMs: device.clockOffsetMs,
      },
      Date.now,
    )

  test('is refused whatever keys an attacker publishes or replies with', async () => {
    proves('token-keys-forged')
    const known = await createSynchronizedDevice()
    const [before, { own, sign }] = [readStateFile(known), await createKey()]
    const publish: ReturnType<typeof poseAsService> = () => async (call) => {
      if (call.url.endsWith('/jwks.json')) return respond(200, { keys: [own] })
      const { sub: aud, jti: re } = readAssertion(call.headers)
      const reply = { aud, re, iat: Date.now() / 1000, revision: 1, state: 'posed' }
      const policy = { unchanged: false, verdict: { action: 'none', version }, files: [] }
      const keys = { tokenKeys: [own], replyKeys: [own], cors: [], cycle: 60, acknowledged: [] }
      const data = await sign({ ...reply, ...policy, ...keys }, 'cw-reply+jws')
      return respond(200, { success: true, data })
    }
    const fooled = await known.restart({ wrapTransport: publish })
    const [iat, label] = [Date.now() / 1000, { iss: service.url, aud: 'cardwire-connector' }]
    const token = await sign({ ...label, sub: 'shop', iat, exp: iat + 1200 }, 'cw-app+jwt')
    await expect(verifierOf(fooled).verify(token)).rejects.toThrow('Cannot ask the service')
    expect(readStateFile(fooled)).toBe(before)
  })
})

describe('a registration', () => {
  /** The attacker relays the reply of the service, with another value in one field. */
  const alter =
    (change: (signed: string, data: object) => object) =>
    (link: HttpTransport): HttpTransport =>
    async (call) => {
      const answer = await link(call)
      if (!call.url.endsWith('/v3/devices')) return answer
      const { data } = JSON.parse(new TextDecoder().decode(answer.body))
      return respond(200, { success: true, data: { ...data, ...change(data.signed, data) } })
    }

  test.each([
    ['id', crypto.randomUUID()],
    ['url', 'https://evil.example'],
    ['cycle', 2_592_000],
    ['aud', 'A'.repeat(43)],
    ['re', 'A'.repeat(22)],
    ['iat', 4_102_444_800],
    ['replyKeys', []],
  ])('whose signed %s was altered is refused, and stores nothing', async (field, value) => {
    proves('registration-altered')
    const change = (signed: string) => {
      const [header, , signature] = signed.split('.')
      const claims = JSON.stringify({ ...decodeJwt(signed), [field]: value })
      return { signed: [header, Buffer.from(claims).toString('base64url'), signature].join('.') }
    }
    const wrapTransport = alter(change)
    const fingerprints = [await findKeyId(service, 'signing')]
    const options = { dsUrl: service.url, version, installationKey, fingerprints, wrapTransport }
    const fooled = await openDevice(options)
    devices.push(fooled)
    await expect(fooled.syncOnce()).rejects.toThrow(/^Cannot/)
    expect(fooled.state()).toBeUndefined()
    expect(fooled.clockOffsetMs()).toBe(0)
  })

  test('that was signed for another device, or for a request of before, is refused', async () => {
    proves('registration-altered')
    const captured: string[] = []
    const capture = alter((signed) => {
      captured.push(signed)
      return {}
    })
    const known = await createSynchronizedDevice({ wrapTransport: capture })
    const wrapTransport = alter(() => ({ signed: captured[0] }))
    const other = await openDevice({ dsUrl: service.url, version, installationKey, wrapTransport })
    devices.push(other)
    await expect(other.syncOnce()).rejects.toThrow('it is for another device')
    expect(other.state()).toBeUndefined()
    await service.admin('DELETE', `/v3/devices/${known.state()?.device}`)
    const replayed = await known.restart({ wrapTransport })
    await expect(replayed.syncOnce()).rejects.toThrow('it belongs to a different request')
    expect(captured).toHaveLength(1)
  })

  test('takes nothing that is not signed', async () => {
    proves('registration-altered')
    const { own } = await createKey()
    const wrapTransport = alter(() => ({
      ...{ id: crypto.randomUUID(), url: 'https://evil.example', replyKeys: [own], cycle: 1 },
    }))
    const device = await createSynchronizedDevice({ wrapTransport })
    expect(device.state()?.replyKeys.map(({ kid }) => kid)).not.toContain(own.kid)
    expect([device.state()?.audience, device.state()?.cycle]).toEqual([service.url, 28_800])
  })
})
