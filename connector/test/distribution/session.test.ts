/** Synchronizations against the real service: registration, verified replies, and the stored state. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { Unreachable } from '../../src/distribution/client/connection-options.ts'
import { DsError } from '../../src/distribution/client/ds-response.ts'
import type { HttpTransport } from '../../src/distribution/client/transport.ts'
import { ReplyRefused } from '../../src/distribution/sync/sync-status.ts'
import { listDamagedFiles } from '../../src/system/damaged-files.ts'
import { type DeviceOptions, openDevice, type TestDevice } from './device.ts'

const version = '4.0.0'

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

async function device(options: Partial<DeviceOptions> = {}): Promise<TestDevice> {
  const opened = await openDevice({ dsUrl: service.url, version, installationKey, ...options })
  devices.push(opened)
  return opened
}

/** A link whose answers to synchronizations are changed. */
const alterReplies =
  (change: (jws: string) => string | Promise<string>) =>
  (link: HttpTransport): HttpTransport =>
  async (call) => {
    const answer = await link(call)
    if (!call.url.endsWith('/sync') || answer.status !== 200) return answer
    const body = JSON.parse(new TextDecoder().decode(answer.body))
    const changed = JSON.stringify({ ...body, data: await change(body.data) })
    return { ...answer, body: new TextEncoder().encode(changed) }
  }

const readPayload = (jws: string) =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())

const catchError = (attempt: Promise<unknown>) =>
  attempt.then(
    () => {
      throw new Error('It was not refused')
    },
    (error: unknown) => error,
  )

describe('a device', () => {
  test('registers with its first synchronization, and applies the policy', async () => {
    proves('connector-registers')
    const fresh = await device()
    expect(fresh.state()).toBeUndefined()
    await fresh.syncOnce()
    expect(fresh.policy()).toMatchObject({
      verdict: { action: 'none', version },
      cors: ['https://a.example'],
      unchanged: false,
    })
    expect((await fresh.loadState())?.policy).toEqual(fresh.policy())
    for (const name of ['identity-key.pem', 'service.json'])
      expect(statSync(join(fresh.runtime, name)).mode & 0o777).toBe(0o600)
  })

  test('does not store its installation key, and does not send it again', async () => {
    const fresh = await device()
    await fresh.syncOnce()
    await fresh.syncOnce()
    expect(readFileSync(join(fresh.runtime, 'service.json'), 'utf8')).not.toContain(installationKey)
    expect(fresh.logged.join()).not.toContain(installationKey)
    const again = await fresh.restart({ installationKey: undefined })
    await again.syncOnce()
    expect(again.state()?.device).toBe(fresh.state()?.device)
  })

  test('logs the trusted keys once when the settings name none', async () => {
    const fresh = await device()
    await fresh.syncOnce()
    const kids = fresh.state()?.replyKeys.map(({ kid }) => kid) ?? []
    expect(kids).toHaveLength(2)
    expect(fresh.logged.filter((line) => line.includes(kids.join(',')))).toHaveLength(1)
    const named = await device({ fingerprints: kids })
    await named.syncOnce()
    expect(named.logged.join()).not.toContain('trusted from now on')
  })

  test('does not register with a service whose keys are not those of the settings', async () => {
    proves('service-posed')
    const suspicious = await device({ fingerprints: ['A'.repeat(43)] })
    const error = await catchError(suspicious.syncOnce())
    expect(error).toMatchObject({ code: 'fingerprint-unknown' })
    expect([suspicious.state(), suspicious.policy()]).toEqual([undefined, undefined])
  })

  test.each([
    ['a page', 200],
    ['a redirection', 302],
    ['a page that says there is nothing', 404],
  ])('that gets %s from another server is not registered', async (_, status) => {
    const wrapTransport = () => async () => ({
      status,
      headers: {},
      body: new TextEncoder().encode('<html>Log in</html>'),
    })
    const lost = await device({ wrapTransport })
    expect(await catchError(lost.syncOnce())).toBeInstanceOf(DsError)
    expect(lost.state()).toBeUndefined()
  })

  test('without an installation key reports the missing setting', async () => {
    const keyless = await device({ installationKey: undefined })
    const error = await catchError(keyless.syncOnce())
    expect(error).toBeInstanceOf(DsError)
    expect(String(error)).toContain('set CARDWIRE_INSTALLATION_KEY')
  })

  test('whose identity key is lost registers as another device', async () => {
    proves('data-file-damaged')
    const first = await device()
    await first.syncOnce()
    const registration = readFileSync(join(first.runtime, 'service.json'), 'utf8')
    writeFileSync(join(first.runtime, 'identity-key.pem'), 'damaged')
    const second = await first.restart()
    expect(second.state()).toBeUndefined()
    await second.syncOnce()
    expect(second.state()?.device).not.toBe(first.state()?.device)
    await second.restart()
    const kept = listDamagedFiles(first.runtime).map(({ name, path }) => [
      name,
      readFileSync(path, 'utf8'),
      statSync(path).mode & 0o777,
    ])
    expect(kept.toSorted()).toEqual([
      ['identity-key.pem', 'damaged', 0o600],
      ['service.json', registration, 0o600],
    ])
    expect(second.logged.filter((line) => line.includes('is damaged and is replaced'))).toEqual([
      expect.stringContaining('warn identity-key.pem is damaged and is replaced: this connector'),
      expect.stringContaining('warn service.json is damaged'),
    ])
  })

  test('that was deleted at the service registers again, and keeps its policy until then', async () => {
    const known = await device()
    await known.syncOnce()
    const before = known.state()?.device
    await service.admin('DELETE', `/v3/devices/${before}`)
    const keyless = await known.restart({ installationKey: undefined })
    expect(await catchError(keyless.syncOnce())).toMatchObject({ code: 'installation-key-missing' })
    expect(keyless.policy()).toEqual(known.policy())
    await known.syncOnce()
    expect(known.state()?.device).not.toBe(before)
    expect((await known.loadState())?.policy?.aud).toBe(known.state()?.device)
  })

  test('that registers again keeps its policy until there is a new reply, also after a restart', async () => {
    proves('policy-during-registration')
    let broken = false
    const unsteady = (link: HttpTransport): HttpTransport => {
      return async (call) => {
        const again = broken && call.url.endsWith('/sync')
        if (again && JSON.parse(new TextDecoder().decode(call.body)).state === undefined) {
          throw new Unreachable('Cannot reach the service: the response is incomplete')
        }
        return link(call)
      }
    }
    const known = await device({ wrapTransport: unsteady })
    await known.syncOnce()
    const [before, policy] = [known.state()?.device, known.policy()]
    await service.admin('DELETE', `/v3/devices/${before}`)
    broken = true
    expect(await catchError(known.syncOnce())).toBeInstanceOf(Unreachable)
    expect(known.state()?.device).not.toBe(before)
    expect(known.policy()).toEqual(policy)
    const restarted = await known.restart()
    expect(restarted.state()?.device).toBe(known.state()?.device)
    expect(restarted.policy()).toEqual(policy)
    broken = false
    await restarted.syncOnce()
    expect(JSON.parse(restarted.calls[0]?.sent ?? '')).not.toHaveProperty('state')
    expect(restarted.policy()?.aud).toBe(restarted.state()?.device)
    expect((await restarted.loadState())?.policy).toEqual(restarted.policy())
  })

  test('that is blocked is so until a sync succeeds, also after a restart, and keeps its policy', async () => {
    proves('block-ends-access', 'device-stolen')
    const known = await device()
    await known.syncOnce()
    expect(known.isBlocked()).toBe(false)
    const path = `/v3/devices/${known.state()?.device}`
    await service.admin('POST', `${path}/block`)
    expect(await catchError(known.syncOnce())).toMatchObject({ code: 'device-blocked' })
    expect(known.isBlocked()).toBe(true)
    const restarted = await known.restart()
    expect(restarted.isBlocked()).toBe(true)
    expect(restarted.policy()?.cors).toEqual(['https://a.example'])
    await service.admin('POST', `${path}/unblock`)
    await restarted.syncOnce()
    expect(restarted.isBlocked()).toBe(false)
    expect((await restarted.restart()).isBlocked()).toBe(false)
  })

  test.each([
    ['an hour behind', -3_600_000],
    ['a day ahead', 86_400_000],
  ])('whose clock is %s takes the time of the service, once', async (_, wrongMs) => {
    const late = await device({ clock: () => Date.now() + wrongMs })
    await late.syncOnce()
    expect(Math.abs((late.state()?.offsetMs ?? 0) + wrongMs)).toBeLessThan(5000)
    const callsBefore = late.calls.length
    await late.syncOnce()
    expect(late.calls.length - callsBefore).toBe(1)
    const restarted = await late.restart()
    await restarted.syncOnce()
    expect(restarted.counted()).toHaveLength(1)
  })

  test('beside another process of it, which was first, asks again by a later time, once', async () => {
    const known = await device()
    await known.syncOnce()
    await known.syncOnce()
    const late = await known.restart({ clock: () => Date.now() - 900 })
    await late.syncOnce()
    expect(late.calls).toHaveLength(2)
    await known.syncOnce()
    const stuck = await known.restart({
      clock: () => Date.now() - 20_000,
      wrapTransport: inThePast,
    })
    expect(await catchError(stuck.syncOnce())).toMatchObject({ code: 'assertion-replayed' })
    expect(stuck.calls).toHaveLength(2)
  })

  const inThePast = (link: HttpTransport): HttpTransport => {
    return async (call) => {
      const answer = await link(call)
      return { ...answer, headers: { ...answer.headers, date: 'Thu, 01 Jan 1970 00:00:00 GMT' } }
    }
  }

  test('whose clock cannot be corrected sends no further requests', async () => {
    const wrong = await device({ clock: () => Date.now() + 3_600_000, wrapTransport: inThePast })
    expect(await catchError(wrong.syncOnce())).toMatchObject({ code: 'clock-skewed' })
    expect(wrong.calls).toHaveLength(2)
  })
})

describe('a reply', () => {
  /** Every way to a value of a reply: `verdict.action`, `tokenKeys.0.x` and so on. */
  const listFields = (value: unknown, path: string[] = []): string[][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => listFields(inner, [...path, name]))
      : [path]

  /** The same payload with one byte of this value another, under the same signature. */
  function alterField(jws: string, path: readonly string[]): string {
    const [header, , signature] = jws.split('.')
    const payload = readPayload(jws)
    const last = path.at(-1) ?? ''
    let holder = payload
    for (const name of path.slice(0, -1)) holder = holder[name]
    const value = holder[last]
    if (typeof value === 'boolean') holder[last] = !value
    else if (typeof value === 'number') holder[last] = value + 1
    else holder[last] = `${value.slice(0, -1)}${value.endsWith('a') ? 'b' : 'a'}`
    return [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.')
  }

  test('that was altered in any field is refused, and the policy stays', async () => {
    proves('reply-altered')
    await service.admin('PUT', '/v3/configurations?maxReach=999999999', {
      type: 'FILE_DIGESTS',
      versionId: version,
      config: { files: [{ path: 'readme.txt', digest: '0'.repeat(32) }] },
    })
    let path: readonly string[] | undefined
    let captured = ''
    const wary = await device({
      wrapTransport: alterReplies((jws) => {
        captured = jws
        return path ? alterField(jws, path) : jws
      }),
    })
    await wary.syncOnce()
    const policy = wary.policy()
    const onDisk = readFileSync(join(wary.runtime, 'service.json'), 'utf8')
    const fields = listFields(readPayload(captured))
    expect(fields.map((field) => field.join('.'))).toEqual(
      expect.arrayContaining([
        ...['aud', 're', 'iat', 'revision', 'state', 'unchanged', 'verdict.action', 'cors.0'],
        ...['verdict.version', 'files.0.path', 'files.0.digest', 'tokenKeys.0.x', 'cycle'],
        ...['replyKeys.0.kid', 'replyKeys.1.x'],
      ]),
    )
    for (path of fields) {
      // Something else each time, so that the reply is a whole one.
      await service.allow(version, [`https://${crypto.randomUUID()}.example`])
      expect(await catchError(wary.syncOnce()), path.join('.')).toBeInstanceOf(ReplyRefused)
      expect(wary.policy()).toBe(policy)
      expect(readFileSync(join(wary.runtime, 'service.json'), 'utf8')).toBe(onDisk)
    }
    path = undefined
    await service.allow(version, ['https://a.example'])
    await wary.syncOnce()
  })

  test.each([
    ['with another signature', (jws: string) => `${jws.slice(0, -5)}${reverse(jws.slice(-5))}`],
    ['without a signature', (jws: string) => jws.replace(/[^.]*$/, '')],
    ['that is no text of three parts', () => 'hello'],
    [
      'that another key has signed in the name of the known one',
      async (jws: string) => {
        const { privateKey } = await generateKeyPair('ES256')
        return new SignJWT(readPayload(jws)).setProtectedHeader(readHeader(jws)).sign(privateKey)
      },
    ],
    [
      'that another key has signed, which it announces itself',
      async (jws: string) => {
        const pair = await generateKeyPair('ES256', { extractable: true })
        const jwk = await exportJWK(pair.publicKey)
        const kid = await calculateJwkThumbprint(jwk)
        const key = { ...jwk, kid, alg: 'ES256', use: 'sig' }
        return new SignJWT({ ...readPayload(jws), replyKeys: [key] })
          .setProtectedHeader({ ...readHeader(jws), kid })
          .sign(pair.privateKey)
      },
    ],
  ] as const)('%s is refused', async (_, change) => {
    const wary = await device()
    await wary.syncOnce()
    const doubting = await wary.restart({ wrapTransport: alterReplies(change) })
    expect(await catchError(doubting.syncOnce())).toBeInstanceOf(ReplyRefused)
    expect(doubting.policy()).toEqual(wary.policy())
  })

  test('to an earlier request or another device is refused', async () => {
    proves('reply-altered')
    const replies: string[] = []
    const collect = alterReplies((jws) => {
      replies.push(jws)
      return jws
    })
    const [one, other] = [
      await device({ wrapTransport: collect }),
      await device({ wrapTransport: collect }),
    ]
    await one.syncOnce()
    await other.syncOnce()
    for (const [reply, reason] of [
      [replies[0], 'a different request'],
      [replies[1], 'another device'],
    ] as const) {
      const fooled = await one.restart({ wrapTransport: alterReplies(() => reply ?? '') })
      expect(String(await catchError(fooled.syncOnce()))).toContain(reason)
    }
  })

  test.each([
    ['half of it', (body: string) => body.slice(0, body.length / 2)],
    ['a page of a proxy', () => '<html>Please log in</html>'],
    ['nothing', () => ''],
  ])('of which there is %s is refused', async (_, change) => {
    const wary = await device()
    await wary.syncOnce()
    const wrapTransport =
      (link: HttpTransport): HttpTransport =>
      async (call) => {
        const answer = await link(call)
        const text = change(new TextDecoder().decode(answer.body))
        return { ...answer, body: new TextEncoder().encode(text) }
      }
    const doubting = await wary.restart({ wrapTransport })
    expect(await catchError(doubting.syncOnce())).toBeInstanceOf(ReplyRefused)
  })
})

describe('the stored state', () => {
  test.each([
    [
      'the allowlist',
      (kept: string) => alterStoredReply(kept, (reply) => reply.replace('a.example', 'e')),
    ],
    ['the device of the reply', (kept: string) => alterLast(kept, { device: crypto.randomUUID() })],
    ['the signer', (kept: string) => kept.replace(/("signer":.*?"x":")(.)/, changeLetter)],
  ])(
    'is not trusted when %s was altered, and the device is still registered',
    async (_, change) => {
      proves('stored-policy-changed')
      const known = await device()
      await known.syncOnce()
      const path = join(known.runtime, 'service.json')
      const before = readFileSync(path, 'utf8')
      writeFileSync(path, change(before))
      expect(readFileSync(path, 'utf8')).not.toBe(before)
      const restarted = await known.restart({ installationKey: undefined })
      expect(restarted.policy()).toBeUndefined()
      expect(restarted.logged.join()).toContain('stored reply is not trusted')
      await restarted.syncOnce()
      expect(restarted.policy()?.cors).toEqual(known.policy()?.cors)
      expect((await restarted.loadState())?.policy).toEqual(restarted.policy())
    },
  )

  test.each([
    ['cut off', (kept: string) => kept.slice(0, 100)],
    [
      'given another key',
      (kept: string) => kept.replace(/("replyKeys":.*?"x":")(.)/, changeLetter),
    ],
  ])('is replaced by a new registration when it was %s', async (_, change) => {
    const known = await device()
    await known.syncOnce()
    const path = join(known.runtime, 'service.json')
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    const restarted = await known.restart()
    expect([restarted.state(), restarted.policy()]).toEqual([undefined, undefined])
    expect(restarted.logged.join()).toContain('stored registration is damaged')
    expect(listDamagedFiles(known.runtime).map(({ name }) => name)).toEqual(['service.json'])
    await restarted.syncOnce()
    expect(restarted.state()?.device).toBe(known.state()?.device)
  })

  test('is ignored for another service', async () => {
    const known = await device()
    await known.syncOnce()
    const moved = await known.restart({ dsUrl: 'http://127.0.0.1:9' })
    expect([moved.state(), moved.policy()]).toEqual([undefined, undefined])
  })
})

const reverse = (text: string) => [...text].toReversed().join('')
const changeLetter = (_: string, before: string, letter: string) =>
  `${before}${letter === 'A' ? 'B' : 'A'}`
const readHeader = (jws: string) =>
  JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString())

/** The kept text with another payload in its reply. */
function alterStoredReply(kept: string, change: (payload: string) => string): string {
  const state = JSON.parse(kept)
  const [header, payload = '', signature] = state.last.reply.split('.')
  const changed = change(Buffer.from(payload, 'base64url').toString())
  const reply = [header, Buffer.from(changed).toString('base64url'), signature].join('.')
  return alterLast(kept, { reply })
}

function alterLast(kept: string, change: object): string {
  const state = JSON.parse(kept)
  return JSON.stringify({ ...state, last: { ...state.last, ...change } })
}
