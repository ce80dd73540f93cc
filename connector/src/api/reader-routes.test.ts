/** Long polls of pages: they end when token, consent, allowlist or policy does. */
import { createBinder } from '@cardwire/protocol/hono'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type ConsentSetup, createConsentSetup, origin } from '../../test/consent/consent-setup.ts'
import type { PolicyEnd } from '../distribution/distribution.ts'
import { type Allowlist, createAllowlist } from '../distribution/policy/allowlist.ts'
import { createBaseApp } from '../http/base-app.ts'
import type { Reader, Snapshot } from '../sandbox/readers/readers.ts'
import { openStateDatabase } from '../system/state/database.ts'
import { createConsentStore } from '../user/consent/consent-store.ts'
import { createAuthorizer } from './authorize.ts'
import { bindReaderRoutes } from './reader-routes.ts'

const word = '::t1c::miksa::Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z'
const id = '0123456789abcdef'
const empty: Reader = { id, name: 'Secret reader', pinpad: false }
const full: Reader = { ...empty, card: { atr: '3B9813400AA503010101AD1311' } }

const polls = [
  ['/v3/readers/detect', []],
  ['/v3/readers/detect-card', [empty]],
  [`/v3/readers/${id}/detect-card`, [empty]],
] as const

let setup: ConsentSetup
let allowed: string[]
let allowlist: Allowlist
let tokenEnd: number
let policyEnd: PolicyEnd | undefined
let snapshot: Snapshot
let followers: Set<(snapshot: Snapshot) => void>
let followed: PromiseWithResolvers<void>

beforeEach(async () => {
  setup = createConsentSetup()
  setup.copy(word)
  await setup.consentService.request({ codeWord: word, origin, days: 1 })
  allowed = [origin]
  allowlist = createAllowlist([], () => ({ cors: [...allowed] }))
  tokenEnd = Number.POSITIVE_INFINITY
  policyEnd = undefined
  followers = new Set()
  followed = Promise.withResolvers()
})
afterEach(() => setup.close())

/** Asks as a page; resolves with the answer that comes, once the poll waits. */
async function ask(path: string, before: readonly Reader[]) {
  const { log, clock, activeConsents: consents } = setup
  snapshot = { sequence: 1, pcsc: { kind: 'up' }, readers: before }
  const app = createBaseApp({
    log,
    names: () => new Set(['localhost']),
    allowlist: allowlist.entries,
    ownerOf: async () => ({ kind: 'ours', user: '1000' }),
    servesEveryone: false,
  })
  const authorize = createAuthorizer({
    log,
    consents,
    managementToken: 'management',
    findPolicyEnd: () => policyEnd,
    tokens: { required: true, verify: async () => ({ label: 'shop', expiresAt: tokenEnd }) },
  })
  bindReaderRoutes(createBinder(app, authorize), {
    readers: {
      snapshot: () => snapshot,
      ready: async () => undefined,
      probe: async () => undefined,
      findLibrary: () => undefined,
      findTokens: async () => undefined,
      subscribe(follower) {
        followers.add(follower)
        followed.resolve()
        return () => followers.delete(follower)
      },
      sandboxPid: () => 0,
      stop: async () => undefined,
    },
    cards: { describe: () => [], modulesFor: () => [] },
    consents,
    clock,
    allowlist: allowlist.entries,
    onAllowlist: allowlist.onChange,
    findPolicyEnd: () => policyEnd,
  })
  const headers = { host: 'localhost', 'x-csrf-token': 't1c-js', authorization: 'Bearer t', origin }
  const url = `https://localhost${path}?timeout=20`
  const response = app.fetch(new Request(url, { headers }), {
    peer: { address: '127.0.0.1', port: 50_000 },
    port: 25_100,
    keepOpen: () => undefined,
  })
  await followed.promise
  return {
    answer: Promise.resolve(response).then(async (received) => ({
      status: received.status,
      text: await received.text(),
    })),
  }
}

function insertCard(): void {
  snapshot = { sequence: 2, pcsc: { kind: 'up' }, readers: [full] }
  for (const follower of followers) follower(snapshot)
}

function revokeElsewhere(): void {
  const database = openStateDatabase(setup.runtime, setup.log)
  createConsentStore(database).revoke(setup.clock(), origin)
  database.close()
}

function endPolicy(): void {
  policyEnd = 'policy-expired'
}

function blockDevice(): void {
  policyEnd = 'device-blocked'
}

function leaveAllowlist(): void {
  allowed.pop()
  allowlist.refresh()
}

const refused = (status: number, code: string) => ({
  status,
  text: expect.stringContaining(`"${code}"`),
})
const noConsent = refused(403, '814501')
const noOrigin = refused(403, '104002')
const noToken = refused(401, '104025')
const noPolicy = refused(503, '105001')
const blocked = refused(403, '105002')

describe.each(polls)('%s', (path, before) => {
  test('answers as soon as there is a result', async () => {
    const { answer } = await ask(path, before)
    insertCard()
    expect(await answer).toMatchObject({ status: 200, text: expect.stringContaining(id) })
    expect(followers.size).toBe(0)
  })

  test('ends when the consent is revoked by another process', async () => {
    proves('poll-ends-with-consent')
    const { answer } = await ask(path, before)
    revokeElsewhere()
    expect(await answer).toEqual(noConsent)
    expect(followers.size).toBe(0)
  })

  test('ends when the origin leaves the allowlist, and not when another one does', async () => {
    allowed.push('https://other.example')
    allowlist.refresh()
    const { answer } = await ask(path, before)
    leaveAllowlist()
    expect(followers.size).toBe(1)
    leaveAllowlist()
    expect(await answer).toEqual(noOrigin)
  })

  test('ends when the token expires', async () => {
    tokenEnd = setup.clock() + 100
    const { answer } = await ask(path, before)
    setup.setClock(tokenEnd)
    expect(await answer).toEqual(noToken)
  })

  test.each([
    ['consent', noConsent, revokeElsewhere],
    ['consent, by time', noConsent, () => setup.setClock(setup.clock() + 86_400_000)],
    ['token', noToken, () => setup.setClock(tokenEnd)],
    ['allowlist', noOrigin, leaveAllowlist],
    ['policy', noPolicy, endPolicy],
    ['access of the device', blocked, blockDevice],
  ])('reveals no card that is inserted just after the end of the %s', async (_, expected, end) => {
    proves('policy-expiry')
    if (expected === noToken) tokenEnd = setup.clock() + 60_000
    const { answer } = await ask(path, before)
    end()
    insertCard()
    expect(await answer).toEqual(expected)
  })
})

test('page whose consent is revoked and given again within a second waits no longer', async () => {
  proves('consent-given-again')
  const { answer } = await ask('/v3/readers/detect-card', [empty])
  revokeElsewhere()
  setup.copy(`${word} again`)
  await setup.consentService.request({ codeWord: `${word} again`, origin, days: 1 })
  insertCard()
  expect(await answer).toEqual(noConsent)
})

test('page whose reader is removed after its consent ended learns only that the consent has ended', async () => {
  const { answer } = await ask(`/v3/readers/${id}/detect-card`, [empty])
  revokeElsewhere()
  snapshot = { sequence: 2, pcsc: { kind: 'up' }, readers: [] }
  for (const follower of followers) follower(snapshot)
  expect(await answer).toEqual(noConsent)
})
