/** The states of a connection, with the test double in place of a connector. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import {
  type ConnectionOptions,
  type ConnectionState,
  createConnection,
  type StateOf,
} from '../src/connection.ts'
import { describeCard, describeConnection, describeRejection } from '../src/describe.ts'
import {
  createTestConnector,
  createTestToken,
  type TestConnectorOptions,
} from '../src/testing/index.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const desk = { id: 'a', name: 'Desk' }

function open(given: TestConnectorOptions = {}, options: ConnectionOptions = {}) {
  const connector = createTestConnector({ readers: [desk], ...given })
  const connection = createConnection({ initialize: connector.initialize, ...options })
  const seen: string[] = []
  const unsubscribe = connection.subscribe(({ status }) => {
    if (seen.at(-1) !== status) seen.push(status)
  })
  onTestFinished(unsubscribe)
  /** Waits for a state with this status. */
  async function until<Status extends ConnectionState['status']>(
    status: Status,
    holds: (state: StateOf<Status>) => boolean = () => true,
  ): Promise<StateOf<Status>> {
    const find = (): StateOf<Status> | undefined => {
      const state = connection.getState()
      return isOf(state, status) && holds(state) ? state : undefined
    }
    await eventually(() => find() !== undefined)
    return find() as StateOf<Status>
  }
  return { connector, connection, seen, until, unsubscribe }
}

const isOf = <Status extends ConnectionState['status']>(
  state: ConnectionState,
  status: Status,
): state is StateOf<Status> => state.status === status

/** Lets time pass until it holds, up to five seconds. */
async function eventually(holds: () => boolean): Promise<void> {
  for (let passed = 0; passed < 5000 && !holds(); passed += 10)
    await vi.advanceTimersByTimeAsync(10)
  expect(holds()).toBe(true)
}

const stubClipboard = (writeText: (text: string) => Promise<void>) =>
  vi.stubGlobal('navigator', { clipboard: { writeText }, languages: ['en'] })

describe('a connection', () => {
  test('does nothing before it has a subscriber, and ends when the last one leaves', async () => {
    const connector = createTestConnector({ readers: [desk] })
    const connection = createConnection({ initialize: connector.initialize })
    expect(connection.getState()).toEqual({ status: 'starting' })
    await vi.advanceTimersByTimeAsync(1000)
    expect(connector.requests).toEqual([])
    const states: ConnectionState[] = []
    const unsubscribe = connection.subscribe((state) => states.push(state))
    await eventually(() => connection.getState().status === 'ready')
    expect(states[0]).toEqual({ status: 'starting' })
    expect(states.at(-1)).toBe(connection.getState())
    unsubscribe()
    await vi.advanceTimersByTimeAsync(1)
    expect(connection.getState()).toEqual({ status: 'starting' })
    const requests = connector.requests.length
    connector.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(connector.requests.length).toBe(requests)
  })

  test('does nothing for a framework that subscribes only while it renders, as on a server', async () => {
    proves('connection-states')
    const getToken = vi.fn(async () => createTestToken())
    const { connector, unsubscribe } = open({}, { getToken })
    unsubscribe()
    await vi.advanceTimersByTimeAsync(1000)
    expect([connector.requests, getToken.mock.calls]).toEqual([[], []])
  })

  test('continues for a framework that leaves and subscribes again at once', async () => {
    const { connection, connector, until, unsubscribe } = open()
    await until('ready')
    unsubscribe()
    onTestFinished(connection.subscribe(() => undefined))
    await vi.advanceTimersByTimeAsync(10)
    expect(connection.getState().status).toBe('ready')
    expect(connector.requests.filter(({ operation }) => operation === 'readerEvents')).toHaveLength(
      1,
    )
  })

  test('is ready with the readers, and with each change of them', async () => {
    proves('connection-states')
    const { connector, until } = open({}, { getToken: async () => createTestToken() })
    const ready = await until('ready')
    expect(ready).toMatchObject({ readers: [{ name: 'Desk' }], stale: false })
    connector.insertCard('a', { atr: '3B00' })
    await until('ready', ({ readers }) => readers[0]?.card?.atr === '3B00')
    connector.stopCardService('It is not running')
    await until('ready', ({ cardService }) => cardService?.state === 'down')
  })

  test('asks for the permission of the browser from a click only', async () => {
    proves('connection-states')
    const connector = createTestConnector({ readers: [desk] })
    connector.fail('permission-needed')
    const asked = createConnection({ initialize: connector.initialize })
    const states: ConnectionState[] = []
    onTestFinished(asked.subscribe((state) => states.push(state)))
    await eventually(() => asked.getState().status === 'permission-needed')
    expect(states.map(({ status }) => status)).toEqual(['starting', 'permission-needed'])
    expect(connector.requests).toEqual([])
    connector.recover()
    connector.fail('permission-pending')
    const state = asked.getState()
    if (state.status !== 'permission-needed') throw new Error(state.status)
    state.connect()
    await eventually(() => asked.getState().status === 'permission-pending')
    // Nothing looks again while the prompt is open.
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked.getState().status).toBe('permission-pending')
  })

  test('looks again for a connector that is not running, after longer and longer pauses, and says so once', async () => {
    proves('connection-looks-again')
    const { connector, connection, seen, until } = open(
      {},
      { dsUrl: 'https://ds.example', getToken: async () => createTestToken() },
    )
    connector.stop()
    const state = await until('not-running')
    expect(state.installerUrl).toBe('https://ds.example/v3/downloads/installer')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(connection.getState()).toBe(state)
    connector.start()
    await vi.advanceTimersByTimeAsync(14_000)
    await until('ready')
    expect(seen).toEqual(['starting', 'not-running', 'ready'])
  })

  test('looks again when the user comes back to the page, and not while the page is hidden', async () => {
    proves('connection-looks-again')
    const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
    vi.stubGlobal('document', document)
    const { connector, connection, until } = open()
    connector.stop()
    await until('not-running')
    connector.start()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(connection.getState().status).toBe('not-running')
    document.visibilityState = 'visible'
    document.dispatchEvent(new Event('visibilitychange'))
    await until('ready')
  })

  test('tells a connector that hangs from one that is not running', async () => {
    proves('connection-states')
    const { connector, connection, until } = open({ consent: false })
    connector.fail('not-responding')
    const { error } = await until('not-responding')
    expect(error.kind).toBe('not-responding')
    connector.recover()
    await vi.advanceTimersByTimeAsync(2000)
    await eventually(() => connection.getState().status === 'consent-required')
  })

  test('shows that the back end gave no token, with the cause, and tries again', async () => {
    proves('connection-states')
    const cause = new Error('503')
    const getToken = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(cause)
      .mockResolvedValue(createTestToken())
    const { until } = open({ requiresToken: true }, { getToken })
    const { error } = await until('token-unavailable')
    expect(error).toMatchObject({ kind: 'token-unavailable', cause })
    await vi.advanceTimersByTimeAsync(2000)
    await until('ready')
    expect(getToken).toHaveBeenCalledTimes(2)
  })

  test('shows it, too, when the back end gives no other token for one that has expired', async () => {
    const getToken = vi
      .fn<() => Promise<string>>()
      .mockResolvedValueOnce(createTestToken(-1))
      .mockRejectedValueOnce(new Error('503'))
      .mockResolvedValue(createTestToken())
    const { until } = open({ requiresToken: true }, { getToken })
    const { retry } = await until('token-unavailable')
    retry()
    await until('ready')
  })

  test('has everything else as failed, with the error', async () => {
    proves('connection-states')
    const { connector, until } = open()
    await until('ready')
    connector.fail('origin-refused')
    connector.stop()
    connector.start()
    const { error, retry } = await until('failed')
    expect(error.kind).toBe('origin-refused')
    connector.recover()
    retry()
    await until('ready')
  })
})

describe('the consent', () => {
  test('is asked for with a code that the page copies', async () => {
    proves('connection-states')
    const { connector, seen, until } = open({ consent: false })
    stubClipboard(async (text) => connector.setClipboard(text))
    const { codeWord, copyAndAllow } = await until('consent-required')
    expect(await copyAndAllow()).toMatchObject({ copied: true })
    await until('ready')
    expect(seen).toEqual(['starting', 'consent-required', 'consent-pending', 'ready'])
    connector.revokeConsent()
    const again = await until('consent-required')
    expect(again.codeWord).not.toBe(codeWord)
    expect(again.codesNotFound).toBe(0)
  })

  test('waits for the user to copy the code where the browser does not let the page', async () => {
    proves('connection-states')
    const { connector, connection, until } = open({ consent: false })
    stubClipboard(() => Promise.reject(new Error('denied')))
    const first = await until('consent-required')
    expect(await first.copyAndAllow()).toMatchObject({ copied: false })
    const second = await until('consent-required', ({ copied }) => copied !== undefined)
    expect(second.codeWord).toBe(first.codeWord)
    const { text, action } = describeConnection(connection.getState(), { language: 'en' })
    expect([text, action?.label]).toEqual([
      'The code wasn’t copied. Select it and copy it yourself.',
      'I copied the code',
    ])
    connector.setClipboard(second.codeWord)
    await second.copyAndAllow()
    await until('ready')
  })

  test('is asked for again with another code when it was not found, and says what else to do', async () => {
    const { connector, connection, until } = open({ consent: false })
    stubClipboard(async () => connector.setClipboard('something else'))
    const texts: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const state = await until('consent-required', ({ codesNotFound }) => codesNotFound === count)
      texts.push(describeConnection(connection.getState(), { language: 'en' }).text)
      await state.copyAndAllow()
    }
    await until('consent-required', ({ error }) => error.kind === 'no-agent')
    texts.push(describeConnection(connection.getState(), { language: 'en' }).text)
    const notFound =
      'Cardwire couldn’t find the code on your clipboard. Copy the new code, and don’t copy anything else until this page continues.'
    expect(texts).toEqual([
      'Copy this code. Cardwire finds it on your clipboard and allows this site.',
      notFound,
      notFound,
      'Cardwire didn’t see any of the codes. Make sure it’s running, then copy the new code.',
    ])
  })

  test('is asked for once, however often the user clicks', async () => {
    const { connector, until } = open({ consent: false })
    stubClipboard(async (text) => connector.setClipboard(text))
    const { copyAndAllow } = await until('consent-required')
    await Promise.all([copyAndAllow(), copyAndAllow(), copyAndAllow()])
    await until('ready')
    expect(
      connector.requests.filter(({ operation }) => operation === 'requestConsent'),
    ).toHaveLength(1)
  })
})

test('the readers of a connector that stops are stale, and then it is not running', async () => {
  proves('stale-readers')
  const { connector, until } = open()
  await until('ready')
  connector.stop()
  await vi.advanceTimersByTimeAsync(200)
  expect(await until('ready')).toMatchObject({ stale: true, readers: [{ name: 'Desk' }] })
  await vi.advanceTimersByTimeAsync(2000)
  await until('not-running')
  connector.start()
  await vi.advanceTimersByTimeAsync(2000)
  expect(await until('ready')).toMatchObject({ stale: false })
})

test('every state has texts in four languages', async () => {
  proves('errors-for-users')
  const { connector, connection, until } = open({ consent: false })
  const states: ConnectionState[] = [{ status: 'starting' }, { status: 'permission-pending' }]
  states.push(await until('consent-required'))
  connector.stop()
  const failed = createConnection({ initialize: connector.initialize })
  onTestFinished(failed.subscribe(() => undefined))
  await eventually(() => failed.getState().status === 'not-running')
  states.push(failed.getState(), connection.getState())
  for (const state of states) {
    const texts = (['en', 'nl', 'fr', 'de'] as const).map((language) =>
      describeConnection(state, { language }),
    )
    expect(new Set(texts.map(({ title }) => title)).size).toBe(4)
    expect(texts.map(({ language }) => language)).toEqual(['en', 'nl', 'fr', 'de'])
  }
})

test('every reason of a back end has a sentence in four languages, and an unknown one a general sentence', () => {
  proves('errors-for-users')
  const reasons = [
    ...['certificate-expired', 'certificate-not-yet-valid', 'certificate-unsuitable'],
    ...['certificate-untrusted', 'certificate-revoked', 'revocation-unknown', 'key-unsupported'],
    'token-malformed',
  ]
  const texts = reasons.flatMap((reason) =>
    (['en', 'nl', 'fr', 'de'] as const).map((language) => describeRejection(reason, { language })),
  )
  expect(new Set(texts).size).toBe(32)
  expect(describeRejection('certificate-revoked', { language: 'de' })).toBe(
    'Diese Karte wurde gesperrt. Wenden Sie sich an den Aussteller der Karte.',
  )
  for (const reason of ['signature-invalid', 'toString', ''])
    expect(describeRejection(reason, { language: 'en' })).toBe(
      'This site couldn’t verify your card’s response. Try again.',
    )
})

test('every step to a card has a sentence in four languages', () => {
  proves('errors-for-users')
  const steps = ['card-service-down', 'no-reader', 'no-card', 'unsupported', 'pending'] as const
  const languages = ['en', 'nl', 'fr', 'de'] as const
  const texts = steps.flatMap((step) =>
    languages.map((language) => describeCard(step, { language })),
  )
  expect(new Set(texts).size).toBe(20)
  expect(describeCard('no-card', { language: 'nl-BE' })).toBe('Plaats uw kaart.')
  for (const text of texts) expect(text).toMatch(/^\p{Lu}.*\.$/u)
})
