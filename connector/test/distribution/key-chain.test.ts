/** Devices that were offline during rotations, registrations with old fingerprints, and forged endorsements, against the real service. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  calculateJwkThumbprint,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  SignJWT,
} from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { createLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { openCounters } from '../../src/api/counters/counters.ts'
import { Unreachable } from '../../src/distribution/client/connection-options.ts'
import type {
  HttpRequest,
  HttpResponse,
  HttpTransport,
} from '../../src/distribution/client/transport.ts'
import type { ResponseSigningKey } from '../../src/distribution/client/verify-reply.ts'
import { createFaults } from '../../src/distribution/sync/faults.ts'
import { createSchedule } from '../../src/distribution/sync/schedule.ts'
import { createSynchronizer } from '../../src/distribution/sync/synchronizer.ts'
import { openStateDatabase } from '../../src/system/state/database.ts'
import { type DeviceOptions, openDevice, type TestDevice } from './device.ts'
import { announceKey, dayMs, findKeyId, listReplyKeys, passTime, rotateKey } from './rotation.ts'

const version = '4.0.0'

let service: DistributionService
let installationKey: string
let huge: Server
const devices: TestDevice[] = []

beforeAll(async () => {
  service = await startDistributionService()
  installationKey = (await service.registerVersion(version)).installationApiKey
  await service.allow(version, ['https://a.example'])
  huge = createServer((_, response) => {
    response.end(JSON.stringify({ success: true, respondWithData: ['a'.repeat(5 * 1024 * 1024)] }))
  })
  await new Promise<void>((resolve) => huge.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  huge.close()
  await service.stop()
})
afterEach(() => {
  for (const device of devices.splice(0)) device.close()
})

async function device(options: Partial<DeviceOptions> = {}): Promise<TestDevice> {
  const opened = await openDevice({ dsUrl: service.url, version, installationKey, ...options })
  devices.push(opened)
  return opened
}

async function createSynchronizedDevice(options: Partial<DeviceOptions> = {}): Promise<TestDevice> {
  const opened = await device(options)
  await opened.syncOnce()
  return opened
}

/** The paths of the requests, without the address of the service. */
const getPaths = (one: TestDevice) => one.counted().map(({ url }) => url.slice(service.url.length))
const getKids = (one: TestDevice) => one.state()?.replyKeys.map(({ kid }) => kid) ?? []
const listFingerprints = async () => (await listReplyKeys(service)).map(({ id }) => id)
const readStateFile = ({ runtime }: TestDevice) =>
  readFileSync(join(runtime, 'service.json'), 'utf8')

/** The endorsements that the service publishes. */
async function fetchRotationStatements(): Promise<string[]> {
  const response = await fetch(`${service.url}/v3/devices/successions`)
  return JSON.parse(await response.text()).data
}

/** Changes the policy, so that the next reply is a whole one. */
async function changeAllowlist(): Promise<string[]> {
  const cors = [`https://${crypto.randomUUID()}.example`]
  await service.allow(version, cors)
  return cors
}

/** A transport that responds itself to requests for endorsements. */
const interceptEndorsements =
  (answer: (link: HttpTransport, call: HttpRequest) => Promise<HttpResponse>) =>
  (link: HttpTransport): HttpTransport =>
  (call) =>
    call.url.endsWith('/v3/devices/successions') ? answer(link, call) : link(call)

const respondWithText = (status: number, body: string) => async (): Promise<HttpResponse> => ({
  status,
  headers: {},
  body: new TextEncoder().encode(body),
})
const data = (forgedEndorsements: unknown) =>
  respondWithText(200, JSON.stringify({ success: true, data: forgedEndorsements }))

/** Responses in place of the endorsements, with the reason in the log. */
const invalidResponses: readonly (readonly [
  string,
  Parameters<typeof interceptEndorsements>[0],
  string,
])[] = [
  ['404', respondWithText(404, ''), 'status 404'],
  ['500', respondWithText(500, '<html>Oops</html>'), 'status 500'],
  ['a redirection', respondWithText(302, ''), 'status 302'],
  [
    'a page of a proxy',
    respondWithText(200, '<html>Log in</html>'),
    'not from a distribution service',
  ],
  ['something else', data({ words: [] }), 'not from a distribution service'],
  ['too many endorsements', data(Array(4097).fill('a.b.c')), 'not from a distribution service'],
  [
    '5 MB',
    (link, call) => {
      const { port } = huge.address() as AddressInfo
      return link({ ...call, url: `http://127.0.0.1:${port}` })
    },
    'more than 4194304 bytes',
  ],
  ['nothing', () => Promise.reject(new Unreachable('no response in 15 s')), 'no response in 15 s'],
  ['no endorsements', data([]), ''],
  ['malformed endorsements', data(['', 'hello', 'a.b.c']), ''],
]

describe('a device that was offline', () => {
  test.each([2, 4])(
    'through %d rotations follows the endorsements to the signing key, and applies its reply',
    async (rotations) => {
      proves('offline-rotations')
      const away = await createSynchronizedDevice()
      for (let n = 0; n < rotations; n += 1) await rotateKey(service)
      const cors = await changeAllowlist()
      const signing = await findKeyId(service, 'signing')
      expect(getKids(away)).not.toContain(signing)
      const [callsBefore, from] = [getPaths(away).length, getKids(away).join(',')]
      await away.syncOnce()
      expect(away.policy()?.cors).toEqual(cors)
      expect(getPaths(away).slice(callsBefore)).toEqual([
        ...['/v3/devices/sync', '/v3/devices/successions', '/v3/devices/sync'],
      ])
      expect(away.logged.filter((line) => line.includes('reply key trusted'))).toEqual([
        `info endorsed reply key trusted ${JSON.stringify({ from, to: signing })}`,
      ])
      // The service says which there are; those of before count no more.
      expect(getKids(away)).toEqual(await listFingerprints())
      const restarted = await away.restart({ installationKey: undefined })
      expect(restarted.policy()).toEqual(away.policy())
      await restarted.syncOnce()
      expect(getPaths(restarted)).toEqual(['/v3/devices/sync'])
    },
  )

  test('follows the endorsements past lost keys', async () => {
    proves('offline-rotations')
    const away = await createSynchronizedDevice()
    for (let lost = 0; lost < 3; lost += 1)
      await service.admin(
        'DELETE',
        `/v3/signing-keys/${await findKeyId(service, 'signing')}?maxReach=999999999`,
      )
    const cors = await changeAllowlist()
    await away.syncOnce()
    expect(away.policy()?.cors).toEqual(cors)
  })

  test('keeps the endorsed key when the next reply is lost', async () => {
    let syncs = 0
    const losing =
      (link: HttpTransport): HttpTransport =>
      async (call) => {
        const answer = await link(call)
        if (!call.url.endsWith('/sync')) return answer
        syncs += 1
        if (syncs === 3) throw new Unreachable('the response is incomplete')
        return answer
      }
    const away = await createSynchronizedDevice({ wrapTransport: losing })
    for (let n = 0; n < 2; n += 1) await rotateKey(service)
    const cors = await changeAllowlist()
    await expect(away.syncOnce()).rejects.toThrow('the response is incomplete')
    const restarted = await away.restart()
    expect(restarted.policy()?.cors).toEqual(away.policy()?.cors)
    await restarted.syncOnce()
    expect(getPaths(restarted)).toEqual(['/v3/devices/sync'])
    expect(restarted.policy()?.cors).toEqual(cors)
  })

  test('sends the same batches twice, and they are counted once', async () => {
    proves('offline-rotations')
    const runtime = mkdtempSync(join(tmpdir(), 'cardwire-counters-'))
    const database = openStateDatabase(runtime, { error: () => undefined })
    try {
      const counters = openCounters(database, Date.now)
      const away = await createSynchronizedDevice({ counters })
      for (let n = 0; n < 2; n += 1) await rotateKey(service)
      counters.add({ label: undefined, module: 'followed', useCase: 'signature', tag: undefined })
      const callsBefore = away.calls.length
      await away.syncOnce()
      const sent = away.calls.slice(callsBefore).filter(({ sent }) => sent !== '')
      const batches = sent.map((call) => JSON.parse(call.sent).batches)
      expect(batches[0]).toHaveLength(1)
      expect(batches).toEqual([batches[0], batches[0]])
      expect(away.acknowledged).toEqual([batches[0][0].id])
      expect(counters.list()).toEqual([])
      const { items } = await service.admin('GET', '/v3/counters?module=followed')
      expect(items.map(({ count }: { count: number }) => count)).toEqual([1])
    } finally {
      database.close()
      rmSync(runtime, { recursive: true, force: true })
    }
  })

  test('refuses the reply with one log line without valid endorsements, keeps its policy, and follows them once they come', async () => {
    proves('successions-withheld')
    const away = await createSynchronizedDevice()
    const [policy, before] = [away.policy(), readStateFile(away)]
    for (let n = 0; n < 2; n += 1) await rotateKey(service)
    const cors = await changeAllowlist()
    for (const [what, answer, reason] of invalidResponses) {
      let looks = 0
      const counted: typeof answer = (link, call) => {
        looks += 1
        return answer(link, call)
      }
      const kept = await away.restart({ wrapTransport: interceptEndorsements(counted) })
      const lines = await logThreeAttempts(kept)
      expect(lines, what).toEqual([expect.stringMatching(/^warn not synced .*reply-refused/)])
      expect(lines[0], what).toContain('CARDWIRE_DS_FINGERPRINTS')
      expect(lines[0], what).toContain(reason)
      const syncs = getPaths(kept).filter((path) => path.endsWith('/sync'))
      expect([syncs.length, looks], what).toEqual([3, 3])
      expect(kept.policy(), what).toEqual(policy)
      expect(readStateFile(kept), what).toBe(before)
    }
    await away.syncOnce()
    expect(away.policy()?.cors).toEqual(cors)
  })
})

/** Synchronizes three times, and returns the log. */
async function logThreeAttempts(one: TestDevice): Promise<string[]> {
  const synchronizer = createSynchronizer({
    session: one,
    faults: createFaults(Date.now),
    clock: Date.now,
    log: createLog(one.logged),
    schedule: createSchedule(Math.random),
    startTimer: () => () => undefined,
  })
  for (let n = 0; n < 3; n += 1) await synchronizer.synchronize()
  return one.logged
}

describe('a registration', () => {
  test('with fingerprints that are two rotations old succeeds, and trusts the current keys', async () => {
    proves('old-fingerprints')
    const named = await listFingerprints()
    for (let n = 0; n < 2; n += 1) await rotateKey(service)
    const cors = await changeAllowlist()
    const fresh = await createSynchronizedDevice({ fingerprints: named })
    expect(fresh.policy()?.cors).toEqual(cors)
    expect(getPaths(fresh)).toEqual([
      ...['/v3/devices', '/v3/devices/successions', '/v3/devices/sync'],
    ])
    expect(getKids(fresh)).toEqual(await listFingerprints())
    expect(fresh.logged.join()).not.toContain('trusted from now on')
  })

  test('with the fingerprint of a key whose successor signs already succeeds without endorsements', async () => {
    proves('old-fingerprints')
    const before = await findKeyId(service, 'signing')
    await announceKey(service)
    await passTime(service, dayMs + 1000)
    expect(await findKeyId(service, 'retiring')).toBe(before)
    const fresh = await createSynchronizedDevice({ fingerprints: [before] })
    expect(fresh.policy()).toBeDefined()
    expect(getKids(fresh)).toEqual(await listFingerprints())
  })

  test('does not fetch endorsements when the settings name an offered key', async () => {
    const fresh = await createSynchronizedDevice({
      fingerprints: [await findKeyId(service, 'signing')],
    })
    expect(getPaths(fresh)).toEqual(['/v3/devices', '/v3/devices/sync'])
  })

  describe('with old fingerprints', () => {
    let named: string[]

    beforeAll(async () => {
      named = await listFingerprints()
      for (let n = 0; n < 2; n += 1) await rotateKey(service)
    })

    test.each(invalidResponses)(
      'that gets %s instead of the endorsements is refused with one log line',
      async (_, answer, reason) => {
        proves('successions-withheld')
        const fresh = await device({
          fingerprints: named,
          wrapTransport: interceptEndorsements(answer),
        })
        const lines = await logThreeAttempts(fresh)
        expect(lines).toEqual([expect.stringMatching(/^warn not synced .*fingerprint-unknown/)])
        expect(lines[0]).toContain(reason)
        expect([fresh.state(), fresh.policy()]).toEqual([undefined, undefined])
      },
    )
  })
})

describe('an attacker on the network who signs replies with an own key', () => {
  const typ = 'cw-succession+jws'
  /** The key that signs, which all devices here trust, and its endorsement of another key. */
  let trustedKey: ResponseSigningKey
  let genuineEndorsement: string

  beforeAll(async () => {
    // The key that is in force then makes the one that stands by.
    await service.admin(
      'DELETE',
      `/v3/signing-keys/${await findKeyId(service, 'signing')}?maxReach=999999999`,
    )
    const signing = await findKeyId(service, 'signing')
    const keys = (await createSynchronizedDevice()).state()?.replyKeys ?? []
    const word = (await fetchRotationStatements()).find(
      (one) => decodeProtectedHeader(one).kid === signing,
    )
    const key = keys.find(({ kid }) => kid === signing)
    if (key === undefined || word === undefined) throw new Error('The key in force endorsed no key')
    trustedKey = key
    genuineEndorsement = word
  })

  async function createAttacker() {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = { kty: 'EC', ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' as const }
    const own = { ...jwk, kid: await calculateJwkThumbprint(jwk) }
    const sign = (payload: object, header: object) =>
      new SignJWT({ ...payload })
        .setProtectedHeader({ alg: 'ES256', kid: own.kid, ...header })
        .sign(privateKey)
    return { own, sign }
  }
  type Attacker = Awaited<ReturnType<typeof createAttacker>>

  const words: Readonly<Record<string, (forged: Attacker) => string | Promise<string>>> = {
    'in the name of the key in force': ({ own, sign }) =>
      sign({ key: own }, { typ, kid: trustedKey.kid, jwk: trustedKey }),
    'in the name of the key in force, with the own key in the header': ({ own, sign }) =>
      sign({ key: own }, { typ, kid: trustedKey.kid, jwk: own }),
    'with the own key named like the key in force': ({ own, sign }) =>
      sign({ key: own }, { typ, kid: trustedKey.kid, jwk: { ...own, kid: trustedKey.kid } }),
    'by itself': ({ own, sign }) => sign({ key: own }, { typ, jwk: own }),
    'by altering an endorsement of the key in force': ({ own }) => {
      const [header, , signature] = genuineEndorsement.split('.')
      const payload = Buffer.from(JSON.stringify({ key: own })).toString('base64url')
      return [header, payload, signature].join('.')
    },
  }

  /** A transport on which the attacker sends everything: the offered keys, the replies, and the endorsements. */
  const impersonateService =
    ({ own, sign }: Attacker, vouching: readonly string[], called = own.kid) =>
    (link: HttpTransport): HttpTransport =>
    async (call) => {
      const answer = await link(call)
      if (answer.status >= 400) return answer
      if (call.url.endsWith('/successions')) return data(vouching)()
      const { data: body } = JSON.parse(new TextDecoder().decode(answer.body))
      if (!call.url.endsWith('/sync')) {
        const claims = { ...decodeJwt(body.signed), replyKeys: [{ ...own, kid: called }] }
        const header = { typ: 'cw-registration+jws', kid: called }
        return data({ ...body, ...claims, signed: await sign(claims, header) })()
      }
      return data(await sign(decodeJwt(body), { typ: 'cw-reply+jws', kid: called }))()
    }

  test.each(Object.entries(words))(
    'is refused when the attacker endorses that key %s',
    async (_, word) => {
      proves('succession-forged')
      const known = await createSynchronizedDevice()
      const [policy, before] = [known.policy(), readStateFile(known)]
      await changeAllowlist()
      const forged = await createAttacker()
      const wrapTransport = impersonateService(forged, [await word(forged), genuineEndorsement])
      const fooled = await known.restart({ wrapTransport })
      const lines = await logThreeAttempts(fooled)
      expect(lines).toEqual([expect.stringMatching(/^warn not synced .*reply-refused/)])
      expect(fooled.policy()).toEqual(policy)
      expect(readStateFile(fooled)).toBe(before)
    },
  )

  test.each(Object.entries(words))(
    'registers no device when the attacker endorses that key %s',
    async (_, word) => {
      proves('succession-forged')
      const forged = await createAttacker()
      const wrapTransport = impersonateService(forged, [await word(forged), genuineEndorsement])
      const fooled = await device({ fingerprints: [trustedKey.kid], wrapTransport })
      await expect(fooled.syncOnce()).rejects.toMatchObject({ code: 'fingerprint-unknown' })
      expect([fooled.state(), fooled.policy()]).toEqual([undefined, undefined])
    },
  )

  test('registers no device under the name of the key in force, or of its successor', async () => {
    const { kid } = decodeJwt<{ key: ResponseSigningKey }>(genuineEndorsement).key
    for (const called of [trustedKey.kid, kid]) {
      const wrapTransport = impersonateService(await createAttacker(), [genuineEndorsement], called)
      const fooled = await device({ fingerprints: [trustedKey.kid], wrapTransport })
      await expect(fooled.syncOnce()).rejects.toMatchObject({ code: 'fingerprint-unknown' })
      expect(fooled.state()).toBeUndefined()
    }
  })

  test('is refused under the name of an endorsed key', async () => {
    proves('succession-forged')
    const known = await createSynchronizedDevice()
    const policy = known.policy()
    await announceKey(service)
    const next = (await listFingerprints()).find((kid) => !getKids(known).includes(kid))
    const fooled = await known.restart({
      wrapTransport: impersonateService(
        await createAttacker(),
        await fetchRotationStatements(),
        next,
      ),
    })
    await expect(fooled.syncOnce()).rejects.toThrow('signature verification failed')
    expect(getPaths(fooled)).toHaveLength(3)
    expect(fooled.policy()).toEqual(policy)
  })
})
