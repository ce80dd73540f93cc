/** What a test scripts with the test double, as the page gets it. */

import { problems } from '@cardwire/protocol/problem'
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import * as endpoints from '../endpoints.ts'
import { CardwireError } from '../error.ts'
import { openFiles } from '../files.ts'
import type { RefusalKind } from '../kind.ts'
import type { Reason } from '../reason.ts'
import {
  createTestConnector,
  createTestPerson,
  createTestToken,
  type ScriptedKind,
} from './index.ts'
import { createMachine } from './machine.ts'
import { createOperations } from './operations.ts'
import { createUser } from './user.ts'

afterEach(() => void vi.useRealTimers())

/** What the page gets: code and reason of the failure, or "none". */
const failureOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error === undefined) return 'none'
  if (!CardwireError.is(error)) throw error
  return `${error.code} ${error.reason}`
}

const jwt = createTestToken()

/** `connect`: of initialize; `call`: of a client that has worked before, absent where a browser does not take it back. */
const scripted: Readonly<
  Record<
    Exclude<ScriptedKind, Exclude<RefusalKind, 'origin-refused'>>,
    { connect: string; call?: string }
  >
> = {
  'not-running': { connect: '199 not-running', call: '900 not-running' },
  'certificate-untrusted': {
    connect: '199 certificate-untrusted',
    call: '900 certificate-untrusted',
  },
  'origin-refused': { connect: '199 origin-refused', call: '900 origin-refused' },
  'permission-needed': { connect: '199 permission-needed' },
  'permission-pending': { connect: '199 permission-pending' },
  'permission-denied': { connect: '199 permission-denied', call: '900 permission-denied' },
  'permission-impossible': {
    connect: '199 permission-impossible',
    call: '900 permission-impossible',
  },
  'page-insecure': { connect: '199 page-insecure', call: '900 page-insecure' },
  'csp-blocked': { connect: '199 csp-blocked', call: '900 csp-blocked' },
  'code-word-refused': { connect: 'none', call: 'none' },
  'token-refused': { connect: '199 token-refused', call: '100 token-refused' },
  'signature-wrong': { connect: '199 signature-wrong', call: '900 signature-wrong' },
  timeout: { connect: '199 not-responding', call: '900 timeout' },
  'not-responding': { connect: '199 not-responding', call: '900 not-responding' },
  'answer-malformed': { connect: '199 answer-malformed', call: '900 answer-malformed' },
}

/** The prompt stays open until the page gives up. */
const signalFor = (reason: string) =>
  reason === 'permission-pending' ? { signal: AbortSignal.timeout(1) } : {}

test.each(Object.entries(scripted))(
  '%s is what a page gets when a test scripts it',
  async (reason, { connect, call }) => {
    const connector = createTestConnector()
    const client = await connector.initialize({ jwt })
    connector.fail(reason as ScriptedKind)
    if (call) expect(await failureOf(client.readers())).toBe(call)
    expect(await failureOf(connector.initialize({ jwt }, signalFor(reason)))).toBe(connect)
    connector.recover()
    expect(await failureOf(client.readers())).toBe('none')
  },
)

test('every other reason comes about as in production', async () => {
  proves('test-double')
  const connector = createTestConnector({ consent: false, requiresToken: true })
  const { initialize } = connector
  const reasons: Record<Exclude<Reason, ScriptedKind | 'token-unavailable'>, string> = {
    'configuration-invalid': await failureOf(initialize({ t1cApiPort: 'x' })),
    aborted: await failureOf(initialize({}, { signal: AbortSignal.abort() })),
    'consent-required': await failureOf(initialize({ jwt })),
    'no-agent': await lastOf(3),
    'too-many-codes': await lastOf(3),
    'token-missing': await failureOf(initialize()),
    'token-expired': await failureOf(initialize({ jwt: createTestToken(-1) })),
    refused: await refused(),
  }
  expect(reasons).toEqual({
    'configuration-invalid': '199 configuration-invalid',
    aborted: '199 aborted',
    'consent-required': '500 consent-required',
    'no-agent': '500 no-agent',
    'too-many-codes': '500 too-many-codes',
    'token-missing': '199 token-missing',
    'token-expired': '199 token-expired',
    refused: '199 refused',
  })

  /** The outcome of the last of so many code words; a connector looks for five in a minute. */
  async function lastOf(count: number) {
    connector.revokeConsent()
    connector.setClipboard(null)
    const error: unknown = await initialize({ jwt }).catch((thrown) => thrown)
    if (!CardwireError.is(error) || error.code !== '500') throw error
    const word = 'a code word that nobody copied'
    const outcomes = []
    for (let n = 0; n < count; n += 1) outcomes.push(await failureOf(error.client.getConsent(word)))
    connector.giveConsent()
    return outcomes.at(-1) ?? ''
  }
  async function refused() {
    connector.fail({ problem: 'internal', description: 'Cannot continue' })
    const failure = await failureOf(initialize({ jwt }))
    connector.recover()
    return failure
  }
})

/** What a page does, by the kinds of failures that a connector responds to it with. */
const ofConnector: Readonly<
  Record<Exclude<RefusalKind, 'origin-refused'>, 'readers' | 'module' | 'card' | 'raw' | 'files'>
> = {
  internal: 'readers',
  'too-many-requests': 'readers',
  'caller-refused': 'readers',
  'policy-expired': 'readers',
  'device-blocked': 'readers',
  'route-unknown': 'readers',
  'request-invalid': 'readers',
  unknown: 'readers',
  'pcsc-unavailable': 'readers',
  'reader-unknown': 'card',
  'grant-missing': 'card',
  'dialog-unavailable': 'card',
  'module-unknown': 'module',
  'card-absent': 'card',
  'card-changed': 'card',
  'card-unsupported': 'card',
  'card-mute': 'card',
  'card-busy': 'card',
  'card-session-unknown': 'raw',
  'command-refused': 'raw',
  'key-unknown': 'card',
  'key-unsupported': 'card',
  'pin-busy': 'card',
  'pin-wrong': 'card',
  'pin-blocked': 'card',
  'pin-cancelled': 'card',
  'pin-timeout': 'card',
  'pin-invalid': 'card',
  'identity-refused': 'card',
  'file-type-unknown': 'files',
  'file-type-unmapped': 'files',
  'file-type-refused': 'files',
  'file-type-managed': 'files',
  'file-path-refused': 'files',
  'file-unknown': 'files',
  'file-taken': 'files',
  'file-too-large': 'files',
  'disk-failed': 'files',
  'disk-full': 'files',
}

test.each(Object.entries(ofConnector))(
  '%s happens to what can fail with it in production (%s), with the words of the contract',
  async (kind, place) => {
    proves('test-double')
    const person = await createTestPerson('Alice')
    const connector = createTestConnector({
      readers: [{ id: 'a', card: { ...person.card, respond: () => Uint8Array.of(0x90, 0) } }],
      folders: { 'shop/one': { 'a.txt': new Uint8Array(1) }, 'shop/two': {} },
    })
    const client = await connector.initialize()
    const files = openFiles(client, 'shop')
    for (const type of ['one', 'two']) await files.createType(type)
    const reader = await client.reader('a')
    const card = client.card(reader)
    const digest = new Uint8Array(32)
    const calls = {
      readers: [() => client.readers()],
      module: [() => client.module('piv')],
      card: [
        () => card.certificates(),
        () => card.identity(['biometric']),
        () => card.sign({ hash: 'SHA-256', digest }),
        () => card.authenticate({ nonce: 'n'.repeat(44) }),
      ],
      raw: [() => card.transaction('A000000308', ({ transmit }) => transmit(digest))],
      files: [
        () => files.updateType('two'),
        () => files.write({ type: 'two', name: 'b.txt' }, digest),
        () => files.copy({ type: 'one', name: 'a.txt' }, { type: 'two', name: 'a.txt' }),
      ],
    }
    const failuresOf = async (): Promise<readonly CardwireError[]> => {
      const outcomes = await Promise.allSettled(
        calls[place].map((run) => run() as Promise<unknown>),
      )
      return outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    }
    connector.fail(kind as ScriptedKind, { triesLeft: 2 })
    const [error, ...more] = await failuresOf()
    expect([error, ...more].map((one) => one?.kind)).toEqual([error, ...more].map(() => kind))
    expect(error?.triesLeft).toBe(2)
    const titles = Object.values(problems).map(({ title }) => title)
    expect(titles).toContain(error?.description)
    const listing = await failureOf(client.readers())
    expect(listing).toBe(place === 'readers' ? '100 refused' : 'none')
    connector.recover()
    expect(await failureOf(client.readers())).toBe('none')
  },
)

test('the prompt of permission-pending ends with the signal, with recover, or when the user closes it', async () => {
  const connector = createTestConnector()
  connector.fail('permission-pending')
  const leaving = new AbortController()
  const aborted = failureOf(connector.initialize({}, { signal: leaving.signal }))
  leaving.abort()
  expect(await aborted).toBe('199 permission-pending')
  expect(await failureOf(connector.initialize({}, { signal: AbortSignal.abort() }))).toBe(
    '199 permission-pending',
  )

  const asked = Promise.withResolvers<void>()
  const allowed = failureOf(connector.initialize({}, { onPermissionPrompt: asked.resolve }))
  await asked.promise
  connector.recover()
  expect(await allowed).toBe('none')

  // Of the clock that the test double had when it was loaded.
  vi.useFakeTimers()
  vi.resetModules()
  const again = (await import('./index.ts')).createTestConnector()
  again.fail('permission-pending')
  const closed = failureOf(again.initialize())
  await vi.advanceTimersByTimeAsync(2000)
  expect(await closed).toBe('199 permission-needed')
})

test('code-word-refused fails the request for consent alone', async () => {
  const connector = createTestConnector({ consent: false })
  connector.fail('code-word-refused')
  const error: unknown = await connector.initialize().catch((thrown) => thrown)
  if (!CardwireError.is(error) || error.code !== '500') throw error
  expect(await failureOf(error.client.getConsent('a code word that is long enough'))).toBe(
    '115 code-word-refused',
  )
})

test('fail with an operation and times leaves every other request alone', async () => {
  const connector = createTestConnector({ readers: [{ id: 'a' }] })
  const client = await connector.initialize()
  for (const reason of ['timeout', 'signature-wrong'] as const) {
    connector.fail(reason, { operation: 'getReader', times: 1 })
    expect(await failureOf(client.readers())).toBe('none')
    expect(await failureOf(client.reader('a'))).toBe(`900 ${reason}`)
    expect(await failureOf(client.reader('a'))).toBe('none')
  }
  connector.fail({ problem: 'pcsc-unavailable', description: 'It is down' })
  const error = await client.readers().catch((thrown) => thrown)
  expect([error.problem, error.description]).toEqual(['pcsc-unavailable', 'It is down'])
})

test('readerEvents yields what the test does: readers, cards, and the card service', async () => {
  const connector = createTestConnector({ readers: [{ name: 'One', card: { atr: '3B00' } }] })
  const client = await connector.initialize()
  const lines: string[] = []
  const steps = [
    () => connector.addReader({ id: 'b', pinpad: true }),
    () => connector.insertCard('b', { atr: '3B01', description: ['A card'], modules: ['x509'] }),
    () => connector.removeCard('b'),
    () => connector.removeReader('b'),
    () => connector.stopCardService('It has ended'),
    // Without the card service nobody sees a reader come.
    () => {
      connector.addReader({ id: 'c' })
      connector.startCardService()
    },
  ]
  for await (const change of client.readerEvents()) {
    const service = change.type === 'snapshot' ? ` ${JSON.stringify(change.cardService)}` : ''
    lines.push(`${change.type}${service} ${change.readers.map(({ name }) => name).join()}`)
    const step = steps.shift()
    if (!step) break
    step()
  }
  expect(lines).toEqual([
    'snapshot {"state":"up"} One',
    'reader-added One,Test reader 2',
    'card-inserted One,Test reader 2',
    'card-removed One,Test reader 2',
    'reader-removed One',
    'snapshot {"state":"down","reason":"It has ended"} ',
    'snapshot {"state":"up"} One,Test reader 3',
  ])
  connector.stopCardService()
  expect(await failureOf(client.readers())).toBe('100 refused')
})

test('a connector that stops breaks off what is under way, and answers again after start', async () => {
  const connector = createTestConnector()
  const client = await connector.initialize()
  const detection = failureOf(client.detectAnyCard())
  connector.stop()
  expect(await detection).toBe('900 not-running')
  expect(await failureOf(client.readers())).toBe('900 not-running')
  connector.start()
  expect(await failureOf(client.readers())).toBe('none')
})

test('requests has what the page sent, with its token and its name', async () => {
  const connector = createTestConnector()
  const client = await connector.initialize({ jwt, applicationDomain: 'shop' })
  await client.readersExcludedByName(['one', 'two'])
  const { operation, path, query, headers } = connector.requests.at(-1) ?? {}
  expect({ operation, path, query }).toEqual({
    operation: 'listReaders',
    path: '/v3/readers',
    query: { cardInserted: 'true', excluded: 'one,two' },
  })
  expect(headers).toMatchObject({ authorization: `Bearer ${jwt}`, 'x-t1c-billing-tag': 'shop' })
})

test('every operation that the client calls has an answer in the test double', () => {
  proves('test-double')
  const bound = createOperations(
    createMachine(),
    createUser({ consent: true, requiresToken: false }),
    { origin: 'https://page.test', folders: {} },
  ).map(({ operation }) => `${operation.method} ${operation.path}`)
  const called = Object.values(endpoints).flatMap((endpoint) =>
    'path' in endpoint ? [`${endpoint.method} ${endpoint.path}`] : [],
  )
  expect(called.length).toBeGreaterThan(10)
  expect(called.filter((endpoint) => !bound.includes(endpoint))).toEqual([])
})
