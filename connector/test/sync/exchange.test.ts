/** One synchronisation after the other against the real service: what is believed, what is not, and who is locked out. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Link, Unreachable } from '../../src/sync/link.ts'
import { ServiceRefusal } from '../../src/sync/service.ts'
import { ReplyRefused } from '../../src/sync/standing.ts'
import { type DeviceOptions, openDevice, type TestDevice } from './device.ts'
import {
  type DistributionService,
  registerVersion,
  startDistributionService,
} from './distribution-service.ts'

const version = '4.0.0'

let service: DistributionService
let installationKey: string
const devices: TestDevice[] = []

beforeAll(async () => {
  service = await startDistributionService()
  installationKey = (await registerVersion(service, version)).installationApiKey
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

/** A link whose answers to synchronisations are changed. */
const changing =
  (change: (jws: string) => string | Promise<string>) =>
  (link: Link): Link =>
  async (call) => {
    const answer = await link(call)
    if (!call.url.endsWith('/sync') || answer.status !== 200) return answer
    const body = JSON.parse(new TextDecoder().decode(answer.body))
    const changed = JSON.stringify({ ...body, data: await change(body.data) })
    return { ...answer, body: new TextEncoder().encode(changed) }
  }

const payloadOf = (jws: string) =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())

const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => {
      throw new Error('It was not refused')
    },
    (error: unknown) => error,
  )

describe('a device', () => {
  test('registers with its first synchronisation, and lives by what it is told', async () => {
    const fresh = await device()
    expect(fresh.kept()).toBeUndefined()
    await fresh.once()
    expect(fresh.policy()).toMatchObject({
      verdict: { action: 'none', version },
      cors: ['https://a.example'],
      unchanged: false,
    })
    expect((await fresh.remembered())?.policy).toEqual(fresh.policy())
    for (const name of ['identity-key.pem', 'service.json'])
      expect(statSync(join(fresh.runtime, name)).mode & 0o777).toBe(0o600)
  })

  test('keeps its installation key nowhere, and does not send it again', async () => {
    const fresh = await device()
    await fresh.once()
    await fresh.once()
    expect(readFileSync(join(fresh.runtime, 'service.json'), 'utf8')).not.toContain(installationKey)
    expect(fresh.logged.join()).not.toContain(installationKey)
    const again = await fresh.restart({ installationKey: undefined })
    await again.once()
    expect(again.kept()?.device).toBe(fresh.kept()?.device)
  })

  test('says once which keys it believes from then on when the settings name none', async () => {
    const fresh = await device()
    await fresh.once()
    const kids = fresh.kept()?.replyKeys.map(({ kid }) => kid) ?? []
    expect(kids).toHaveLength(2)
    expect(fresh.logged.filter((line) => line.includes(kids.join(',')))).toHaveLength(1)
    const named = await device({ fingerprints: kids })
    await named.once()
    expect(named.logged.join()).not.toContain('believed from now on')
  })

  test('does not register with a service whose keys are not those of the settings', async () => {
    const suspicious = await device({ fingerprints: ['A'.repeat(43)] })
    const error = await refusal(suspicious.once())
    expect(error).toMatchObject({ code: 'fingerprint-unknown' })
    expect([suspicious.kept(), suspicious.policy()]).toEqual([undefined, undefined])
  })

  test.each([
    ['a page', 200],
    ['a redirection', 302],
    ['a page that says there is nothing', 404],
  ])('that is answered with %s by something else is not registered', async (_, status) => {
    const between = () => async () => ({
      ...{ status, headers: {}, body: new TextEncoder().encode('<html>Log in</html>') },
    })
    const lost = await device({ between })
    expect(await refusal(lost.once())).toBeInstanceOf(ServiceRefusal)
    expect(lost.kept()).toBeUndefined()
  })

  test('without an installation key says what to do', async () => {
    const keyless = await device({ installationKey: undefined })
    const error = await refusal(keyless.once())
    expect(error).toBeInstanceOf(ServiceRefusal)
    expect(String(error)).toContain('set CARDWIRE_INSTALLATION_KEY')
  })

  test('whose identity key is lost registers anew, and is another device', async () => {
    const first = await device()
    await first.once()
    writeFileSync(join(first.runtime, 'identity-key.pem'), 'damaged')
    const second = await first.restart()
    expect(second.kept()).toBeUndefined()
    await second.once()
    expect(second.kept()?.device).not.toBe(first.kept()?.device)
  })

  test('that the service has forgotten registers again, and lives by the old until then', async () => {
    const known = await device()
    await known.once()
    const before = known.kept()?.device
    await service.admin('DELETE', `/v3/devices/${before}`)
    const keyless = await known.restart({ installationKey: undefined })
    expect(await refusal(keyless.once())).toMatchObject({ code: 'installation-key-missing' })
    expect(keyless.policy()).toEqual(known.policy())
    await known.once()
    expect(known.kept()?.device).not.toBe(before)
    expect((await known.remembered())?.policy?.aud).toBe(known.kept()?.device)
  })

  test('that registers again lives by the old until there is a new reply, restarts or not', async () => {
    let broken = false
    const unsteady = (link: Link): Link => {
      return async (call) => {
        const again = broken && call.url.endsWith('/sync')
        if (again && JSON.parse(new TextDecoder().decode(call.body)).state === undefined) {
          throw new Unreachable('Cannot reach the service: half an answer')
        }
        return link(call)
      }
    }
    const known = await device({ between: unsteady })
    await known.once()
    const [before, policy] = [known.kept()?.device, known.policy()]
    await service.admin('DELETE', `/v3/devices/${before}`)
    broken = true
    expect(await refusal(known.once())).toBeInstanceOf(Unreachable)
    expect(known.kept()?.device).not.toBe(before)
    expect(known.policy()).toEqual(policy)
    const restarted = await known.restart()
    expect(restarted.kept()?.device).toBe(known.kept()?.device)
    expect(restarted.policy()).toEqual(policy)
    broken = false
    await restarted.once()
    expect(JSON.parse(restarted.calls[0]?.sent ?? '')).not.toHaveProperty('state')
    expect(restarted.policy()?.aud).toBe(restarted.kept()?.device)
    expect((await restarted.remembered())?.policy).toEqual(restarted.policy())
  })

  test('that is blocked is told so, and lives by the old', async () => {
    const known = await device()
    await known.once()
    const path = `/v3/devices/${known.kept()?.device}`
    await service.admin('POST', `${path}/block`)
    expect(await refusal(known.once())).toMatchObject({ code: 'device-blocked' })
    expect(known.policy()?.cors).toEqual(['https://a.example'])
    await service.admin('POST', `${path}/unblock`)
    await known.once()
  })

  test.each([
    ['an hour behind', -3_600_000],
    ['a day ahead', 86_400_000],
  ])('whose clock is %s takes the time of the service, once', async (_, wrongMs) => {
    const late = await device({ clock: () => Date.now() + wrongMs })
    await late.once()
    expect(Math.abs((late.kept()?.offsetMs ?? 0) + wrongMs)).toBeLessThan(5000)
    const asked = late.calls.length
    await late.once()
    expect(late.calls.length - asked).toBe(1)
    const restarted = await late.restart()
    await restarted.once()
    expect(restarted.calls).toHaveLength(1)
  })

  test('whose clock cannot be corrected does not ask for ever', async () => {
    const stubborn = (link: Link): Link => {
      return async (call) => {
        const answer = await link(call)
        return { ...answer, headers: { ...answer.headers, date: 'Thu, 01 Jan 1970 00:00:00 GMT' } }
      }
    }
    const wrong = await device({ clock: () => Date.now() + 3_600_000, between: stubborn })
    expect(await refusal(wrong.once())).toMatchObject({ code: 'clock-skewed' })
    expect(wrong.calls).toHaveLength(2)
  })
})

describe('a reply', () => {
  /** Every way to a value of a reply: `verdict.action`, `tokenKeys.0.x` and so on. */
  const leaves = (value: unknown, path: string[] = []): string[][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]))
      : [path]

  /** The same payload with one byte of this value another, under the same signature. */
  function flipped(jws: string, path: readonly string[]): string {
    const [header, , signature] = jws.split('.')
    const payload = payloadOf(jws)
    const last = path.at(-1) ?? ''
    let holder = payload
    for (const name of path.slice(0, -1)) holder = holder[name]
    const value = holder[last]
    if (typeof value === 'boolean') holder[last] = !value
    else if (typeof value === 'number') holder[last] = value + 1
    else holder[last] = `${value.slice(0, -1)}${value.endsWith('a') ? 'b' : 'a'}`
    return [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.')
  }

  test('that was altered in any field is not believed, and the last good state stays', async () => {
    await service.admin('PUT', '/v3/configurations', {
      ...{ type: 'FILE_DIGESTS', versionId: version },
      config: { files: [{ path: 'readme.txt', digest: '0'.repeat(32) }] },
    })
    let path: readonly string[] | undefined
    let captured = ''
    const wary = await device({
      between: changing((jws) => {
        captured = jws
        return path ? flipped(jws, path) : jws
      }),
    })
    await wary.once()
    const policy = wary.policy()
    const onDisk = readFileSync(join(wary.runtime, 'service.json'), 'utf8')
    const fields = leaves(payloadOf(captured))
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
      expect(await refusal(wary.once()), path.join('.')).toBeInstanceOf(ReplyRefused)
      expect(wary.policy()).toBe(policy)
      expect(readFileSync(join(wary.runtime, 'service.json'), 'utf8')).toBe(onDisk)
    }
    path = undefined
    await service.allow(version, ['https://a.example'])
    await wary.once()
  })

  test.each([
    ['with another signature', (jws: string) => `${jws.slice(0, -5)}${turned(jws.slice(-5))}`],
    ['without a signature', (jws: string) => jws.replace(/[^.]*$/, '')],
    ['that is no text of three parts', () => 'hello'],
    [
      'that another key has signed in the name of the known one',
      async (jws: string) => {
        const { privateKey } = await generateKeyPair('ES256')
        return new SignJWT(payloadOf(jws)).setProtectedHeader(headerOf(jws)).sign(privateKey)
      },
    ],
    [
      'that another key has signed, which it announces itself',
      async (jws: string) => {
        const pair = await generateKeyPair('ES256', { extractable: true })
        const jwk = await exportJWK(pair.publicKey)
        const kid = await calculateJwkThumbprint(jwk)
        const key = { ...jwk, kid, alg: 'ES256', use: 'sig' }
        return new SignJWT({ ...payloadOf(jws), replyKeys: [key] })
          .setProtectedHeader({ ...headerOf(jws), kid })
          .sign(pair.privateKey)
      },
    ],
  ] as const)('%s is not believed', async (_, change) => {
    const wary = await device()
    await wary.once()
    const doubting = await wary.restart({ between: changing(change) })
    expect(await refusal(doubting.once())).toBeInstanceOf(ReplyRefused)
    expect(doubting.policy()).toEqual(wary.policy())
  })

  test('to an earlier request, and one to another device, are not believed', async () => {
    const replies: string[] = []
    const collect = changing((jws) => {
      replies.push(jws)
      return jws
    })
    const [one, other] = [await device({ between: collect }), await device({ between: collect })]
    await one.once()
    await other.once()
    for (const [said, reason] of [
      [replies[0], 'another request'],
      [replies[1], 'another device'],
    ] as const) {
      const fooled = await one.restart({ between: changing(() => said ?? '') })
      expect(String(await refusal(fooled.once()))).toContain(reason)
    }
  })

  test.each([
    ['half of it', (body: string) => body.slice(0, body.length / 2)],
    ['a page of a proxy', () => '<html>Please log in</html>'],
    ['nothing', () => ''],
  ])('of which there is %s is not believed', async (_, change) => {
    const wary = await device()
    await wary.once()
    const between =
      (link: Link): Link =>
      async (call) => {
        const answer = await link(call)
        const text = change(new TextDecoder().decode(answer.body))
        return { ...answer, body: new TextEncoder().encode(text) }
      }
    const doubting = await wary.restart({ between })
    expect(await refusal(doubting.once())).toBeInstanceOf(ReplyRefused)
  })
})

describe('what is on disk', () => {
  test.each([
    ['the allowlist', (kept: string) => withReply(kept, (said) => said.replace('a.example', 'e'))],
    [
      'the device it was said to',
      (kept: string) => withLast(kept, { device: crypto.randomUUID() }),
    ],
    ['the signer', (kept: string) => kept.replace(/("signer":.*?"x":")(.)/, turnedLetter)],
  ])(
    'is not believed when %s was altered, and the device is still registered',
    async (_, change) => {
      const known = await device()
      await known.once()
      const path = join(known.runtime, 'service.json')
      const before = readFileSync(path, 'utf8')
      writeFileSync(path, change(before))
      expect(readFileSync(path, 'utf8')).not.toBe(before)
      const restarted = await known.restart({ installationKey: undefined })
      expect(restarted.policy()).toBeUndefined()
      expect(restarted.logged.join()).toContain('what the service said last is not believed')
      await restarted.once()
      expect(restarted.policy()?.cors).toEqual(known.policy()?.cors)
      expect((await restarted.remembered())?.policy).toEqual(restarted.policy())
    },
  )

  test.each([
    ['cut off', (kept: string) => kept.slice(0, 100)],
    [
      'given another key',
      (kept: string) => kept.replace(/("replyKeys":.*?"x":")(.)/, turnedLetter),
    ],
  ])('begins anew when it was %s', async (_, change) => {
    const known = await device()
    await known.once()
    const path = join(known.runtime, 'service.json')
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    const restarted = await known.restart()
    expect([restarted.kept(), restarted.policy()]).toEqual([undefined, undefined])
    expect(restarted.logged.join()).toContain('what is known of the service is damaged')
    await restarted.once()
    expect(restarted.kept()?.device).toBe(known.kept()?.device)
  })

  test('counts for the service that said it alone', async () => {
    const known = await device()
    await known.once()
    const moved = await known.restart({ dsUrl: 'http://127.0.0.1:9' })
    expect([moved.kept(), moved.policy()]).toEqual([undefined, undefined])
  })
})

const turned = (text: string) => [...text].toReversed().join('')
const turnedLetter = (_: string, before: string, letter: string) =>
  `${before}${letter === 'A' ? 'B' : 'A'}`
const headerOf = (jws: string) =>
  JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString())

/** The kept text with another payload in its reply. */
function withReply(kept: string, change: (payload: string) => string): string {
  const state = JSON.parse(kept)
  const [header, payload = '', signature] = state.last.reply.split('.')
  const changed = change(Buffer.from(payload, 'base64url').toString())
  const reply = [header, Buffer.from(changed).toString('base64url'), signature].join('.')
  return withLast(kept, { reply })
}

function withLast(kept: string, change: object): string {
  const state = JSON.parse(kept)
  return JSON.stringify({ ...state, last: { ...state.last, ...change } })
}
