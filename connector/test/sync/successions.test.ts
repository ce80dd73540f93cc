/** Devices that were away while the real service changed its keys, installers with old fingerprints, and words of nobody. */
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
import { openCounters } from '../../src/counters/counters.ts'
import { openState } from '../../src/state/database.ts'
import { openFaults } from '../../src/sync/faults.ts'
import { type Answer, type Call, type Link, Unreachable } from '../../src/sync/link.ts'
import type { ReplyKey } from '../../src/sync/reply.ts'
import { createSchedule } from '../../src/sync/schedule.ts'
import { createSynchroniser } from '../../src/sync/synchroniser.ts'
import { type DeviceOptions, logInto, openDevice, type TestDevice } from './device.ts'
import {
  type DistributionService,
  registerVersion,
  startDistributionService,
} from './distribution-service.ts'
import { announce, dayMs, keyThat, pass, replyKeys, rotate } from './rotation.ts'

const version = '4.0.0'

let service: DistributionService
let installationKey: string
let huge: Server
const devices: TestDevice[] = []

beforeAll(async () => {
  service = await startDistributionService()
  installationKey = (await registerVersion(service, version)).installationApiKey
  await service.allow(version, ['https://a.example'])
  huge = createServer((_, response) => {
    response.end(JSON.stringify({ success: true, data: ['a'.repeat(5 * 1024 * 1024)] }))
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

async function synchronised(options: Partial<DeviceOptions> = {}): Promise<TestDevice> {
  const opened = await device(options)
  await opened.once()
  return opened
}

/** The paths that were asked for, and nothing of the service before them. */
const paths = ({ calls }: TestDevice) => calls.map(({ url }) => url.slice(service.url.length))
const kidsOf = (one: TestDevice) => one.kept()?.replyKeys.map(({ kid }) => kid) ?? []
const fingerprints = async () => (await replyKeys(service)).map(({ id }) => id)
const onDisk = ({ runtime }: TestDevice) => readFileSync(join(runtime, 'service.json'), 'utf8')

/** The words of the service. */
async function said(): Promise<string[]> {
  const response = await fetch(`${service.url}/v3/devices/successions`)
  return JSON.parse(await response.text()).data
}

/** What the device was told of last has changed, so that the next reply is a whole one. */
async function another(): Promise<string[]> {
  const cors = [`https://${crypto.randomUUID()}.example`]
  await service.allow(version, cors)
  return cors
}

/** A link that answers itself where somebody asks for the words. */
const saying =
  (answer: (link: Link, call: Call) => Promise<Answer>) =>
  (link: Link): Link =>
  (call) =>
    call.url.endsWith('/v3/devices/successions') ? answer(link, call) : link(call)

const text = (status: number, body: string) => async (): Promise<Answer> => ({
  ...{ status, headers: {}, body: new TextEncoder().encode(body) },
})
const data = (words: unknown) => text(200, JSON.stringify({ success: true, data: words }))

/** What comes instead of the words, and what the log says of it. */
const instead: readonly (readonly [string, Parameters<typeof saying>[0], string])[] = [
  ['404', text(404, ''), 'status 404'],
  ['500', text(500, '<html>Oops</html>'), 'status 500'],
  ['a redirection', text(302, ''), 'status 302'],
  ['a page of a proxy', text(200, '<html>Log in</html>'), 'as a distribution service does'],
  ['something else', data({ words: [] }), 'as a distribution service does'],
  ['too many words', data(Array(4097).fill('a.b.c')), 'as a distribution service does'],
  [
    '5 MB',
    (link, call) => {
      const { port } = huge.address() as AddressInfo
      return link({ ...call, url: `http://127.0.0.1:${port}` })
    },
    'more than 4194304 bytes',
  ],
  ['nothing', () => Promise.reject(new Unreachable('no answer in 15 s')), 'no answer in 15 s'],
  ['no words', data([]), ''],
  ['words that are none', data(['', 'hello', 'a.b.c']), ''],
]

describe('a device that was away', () => {
  test.each([2, 4])(
    'through %d rotations follows the keys to the one that signs, and lives by what it says',
    async (rotations) => {
      const away = await synchronised()
      for (let n = 0; n < rotations; n += 1) await rotate(service)
      const cors = await another()
      const signing = await keyThat(service, 'signing')
      expect(kidsOf(away)).not.toContain(signing)
      const [asked, from] = [away.calls.length, kidsOf(away).join(',')]
      await away.once()
      expect(away.policy()?.cors).toEqual(cors)
      expect(paths(away).slice(asked)).toEqual([
        ...['/v3/devices/sync', '/v3/devices/successions', '/v3/devices/sync'],
      ])
      expect(away.logged.filter((line) => line.includes('keys followed'))).toEqual([
        `info keys followed ${JSON.stringify({ from, to: signing })}`,
      ])
      // The service says which there are; those of before count no more.
      expect(kidsOf(away)).toEqual(await fingerprints())
      const restarted = await away.restart({ installationKey: undefined })
      expect(restarted.policy()).toEqual(away.policy())
      await restarted.once()
      expect(paths(restarted)).toEqual(['/v3/devices/sync'])
    },
  )

  test('follows past keys that were lost', async () => {
    const away = await synchronised()
    for (let lost = 0; lost < 3; lost += 1)
      await service.admin('DELETE', `/v3/signing-keys/${await keyThat(service, 'signing')}`)
    const cors = await another()
    await away.once()
    expect(away.policy()?.cors).toEqual(cors)
  })

  test('keeps the key it was led to, also when the answer to that is lost', async () => {
    let syncs = 0
    const losing =
      (link: Link): Link =>
      async (call) => {
        const answer = await link(call)
        if (!call.url.endsWith('/sync')) return answer
        syncs += 1
        if (syncs === 3) throw new Unreachable('half an answer')
        return answer
      }
    const away = await synchronised({ between: losing })
    for (let n = 0; n < 2; n += 1) await rotate(service)
    const cors = await another()
    await expect(away.once()).rejects.toThrow('half an answer')
    const restarted = await away.restart()
    expect(restarted.policy()?.cors).toEqual(away.policy()?.cors)
    await restarted.once()
    expect(paths(restarted)).toEqual(['/v3/devices/sync'])
    expect(restarted.policy()?.cors).toEqual(cors)
  })

  test('sends its counts twice as they are, and they count once', async () => {
    const runtime = mkdtempSync(join(tmpdir(), 'cardwire-counters-'))
    const database = openState(runtime, { error: () => undefined })
    try {
      const counters = openCounters(database, Date.now)
      const away = await synchronised({ counters })
      for (let n = 0; n < 2; n += 1) await rotate(service)
      counters.add({ label: undefined, module: 'followed', useCase: 'signature', tag: undefined })
      const asked = away.calls.length
      await away.once()
      const sent = away.calls.slice(asked).filter(({ sent }) => sent !== '')
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

  test('and gets no words, or others, refuses with one line, lives by the old, and follows once they come', async () => {
    const away = await synchronised()
    const [policy, before] = [away.policy(), onDisk(away)]
    for (let n = 0; n < 2; n += 1) await rotate(service)
    const cors = await another()
    for (const [what, answer, reason] of instead) {
      let looks = 0
      const counted: typeof answer = (link, call) => {
        looks += 1
        return answer(link, call)
      }
      const kept = await away.restart({ between: saying(counted) })
      const lines = await attempts(kept)
      expect(lines, what).toEqual([expect.stringMatching(/^warn not synchronised .*reply-refused/)])
      expect(lines[0], what).toContain('CARDWIRE_DS_FINGERPRINTS')
      expect(lines[0], what).toContain(reason)
      const syncs = paths(kept).filter((path) => path.endsWith('/sync'))
      expect([syncs.length, looks], what).toEqual([3, 3])
      expect(kept.policy(), what).toEqual(policy)
      expect(onDisk(kept), what).toBe(before)
    }
    await away.once()
    expect(away.policy()?.cors).toEqual(cors)
  })
})

/** What the log says of three attempts. */
async function attempts(one: TestDevice): Promise<string[]> {
  const synchroniser = createSynchroniser({
    ...{ exchange: one, faults: openFaults(Date.now), clock: Date.now, log: logInto(one.logged) },
    ...{ schedule: createSchedule(Math.random), later: () => () => undefined },
  })
  for (let n = 0; n < 3; n += 1) await synchroniser.now()
  return one.logged
}

describe('a registration', () => {
  test('with fingerprints that are two rotations old goes through, and believes the keys there are', async () => {
    const named = await fingerprints()
    for (let n = 0; n < 2; n += 1) await rotate(service)
    const cors = await another()
    const fresh = await synchronised({ fingerprints: named })
    expect(fresh.policy()?.cors).toEqual(cors)
    expect(paths(fresh)).toEqual([
      ...['/v3/devices', '/v3/devices/successions', '/v3/devices/sync'],
    ])
    expect(kidsOf(fresh)).toEqual(await fingerprints())
    expect(fresh.logged.join()).not.toContain('believed from now on')
  })

  test('with the fingerprint of a key whose successor signs already goes through at once', async () => {
    const before = await keyThat(service, 'signing')
    await announce(service)
    await pass(service, dayMs + 1000)
    expect(await keyThat(service, 'retiring')).toBe(before)
    const fresh = await synchronised({ fingerprints: [before] })
    expect(fresh.policy()).toBeDefined()
    expect(kidsOf(fresh)).toEqual(await fingerprints())
  })

  test('asks for no words where the settings name a key that is offered', async () => {
    const fresh = await synchronised({ fingerprints: [await keyThat(service, 'signing')] })
    expect(paths(fresh)).toEqual(['/v3/devices', '/v3/devices/sync'])
  })

  describe('with old fingerprints', () => {
    let named: string[]

    beforeAll(async () => {
      named = await fingerprints()
      for (let n = 0; n < 2; n += 1) await rotate(service)
    })

    test.each(instead)(
      'that gets %s instead of the words is refused with one line',
      async (_, answer, reason) => {
        const fresh = await device({ fingerprints: named, between: saying(answer) })
        const lines = await attempts(fresh)
        expect(lines).toEqual([
          expect.stringMatching(/^warn not synchronised .*fingerprint-unknown/),
        ])
        expect(lines[0]).toContain(reason)
        expect([fresh.kept(), fresh.policy()]).toEqual([undefined, undefined])
      },
    )
  })
})

describe('somebody on the way who signs replies with a key of his own', () => {
  const typ = 'cw-succession+jws'
  /** The key that signs, which everybody here believes, and what it said of another. */
  let believed: ReplyKey
  let genuine: string

  beforeAll(async () => {
    // The key that is in force then makes the one that stands by.
    await service.admin('DELETE', `/v3/signing-keys/${await keyThat(service, 'signing')}`)
    const signing = await keyThat(service, 'signing')
    const keys = (await synchronised()).kept()?.replyKeys ?? []
    const word = (await said()).find((one) => decodeProtectedHeader(one).kid === signing)
    const key = keys.find(({ kid }) => kid === signing)
    if (key === undefined || word === undefined) throw new Error('The key in force said nothing')
    believed = key
    genuine = word
  })

  async function forger() {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = { kty: 'EC', ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' as const }
    const own = { ...jwk, kid: await calculateJwkThumbprint(jwk) }
    const sign = (payload: object, header: object) =>
      new SignJWT({ ...payload })
        .setProtectedHeader({ alg: 'ES256', kid: own.kid, ...header })
        .sign(privateKey)
    return { own, sign }
  }
  type Forger = Awaited<ReturnType<typeof forger>>

  const words: Readonly<Record<string, (forged: Forger) => string | Promise<string>>> = {
    'in the name of the key in force': ({ own, sign }) =>
      sign({ key: own }, { typ, kid: believed.kid, jwk: believed }),
    'in the name of the key in force, with his own beside it': ({ own, sign }) =>
      sign({ key: own }, { typ, kid: believed.kid, jwk: own }),
    'with his own key, called as the one in force': ({ own, sign }) =>
      sign({ key: own }, { typ, kid: believed.kid, jwk: { ...own, kid: believed.kid } }),
    'for himself': ({ own, sign }) => sign({ key: own }, { typ, jwk: own }),
    'by changing what the key in force said': ({ own }) => {
      const [header, , signature] = genuine.split('.')
      const payload = Buffer.from(JSON.stringify({ key: own })).toString('base64url')
      return [header, payload, signature].join('.')
    },
  }

  /** Everything comes from him: the keys that are offered, the replies, and the words. */
  const posing =
    ({ own, sign }: Forger, vouching: readonly string[], called = own.kid) =>
    (link: Link): Link =>
    async (call) => {
      const answer = await link(call)
      if (answer.status >= 400) return answer
      if (call.url.endsWith('/successions')) return data(vouching)()
      const { data: told } = JSON.parse(new TextDecoder().decode(answer.body))
      if (!call.url.endsWith('/sync'))
        return data({ ...told, replyKeys: [{ ...own, kid: called }] })()
      return data(await sign(decodeJwt(told), { typ: 'cw-reply+jws', kid: called }))()
    }

  test.each(Object.entries(words))('is not believed when he vouches %s', async (_, word) => {
    const known = await synchronised()
    const [policy, before] = [known.policy(), onDisk(known)]
    await another()
    const forged = await forger()
    const between = posing(forged, [await word(forged), genuine])
    const fooled = await known.restart({ between })
    const lines = await attempts(fooled)
    expect(lines).toEqual([expect.stringMatching(/^warn not synchronised .*reply-refused/)])
    expect(fooled.policy()).toEqual(policy)
    expect(onDisk(fooled)).toBe(before)
  })

  test.each(Object.entries(words))('registers nobody when he vouches %s', async (_, word) => {
    const forged = await forger()
    const between = posing(forged, [await word(forged), genuine])
    const fooled = await device({ fingerprints: [believed.kid], between })
    await expect(fooled.once()).rejects.toMatchObject({ code: 'fingerprint-unknown' })
    expect([fooled.kept(), fooled.policy()]).toEqual([undefined, undefined])
  })

  test('registers nobody under the name of a key in force, or of one that follows it', async () => {
    const { kid } = decodeJwt<{ key: ReplyKey }>(genuine).key
    for (const called of [believed.kid, kid]) {
      const between = posing(await forger(), [genuine], called)
      const fooled = await device({ fingerprints: [believed.kid], between })
      await expect(fooled.once()).rejects.toMatchObject({ code: 'fingerprint-unknown' })
      expect(fooled.kept()).toBeUndefined()
    }
  })

  test('is not believed under the name of a key that is followed', async () => {
    const known = await synchronised()
    const policy = known.policy()
    await announce(service)
    const next = (await fingerprints()).find((kid) => !kidsOf(known).includes(kid))
    const fooled = await known.restart({ between: posing(await forger(), await said(), next) })
    await expect(fooled.once()).rejects.toThrow('signature verification failed')
    expect(paths(fooled)).toHaveLength(3)
    expect(fooled.policy()).toEqual(policy)
  })
})
