/** What a page meets with a connector, whoever plays the connector: the compiled one, or the test double. */
import { expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { CardwireClient, initialize, Reader } from '../../src/index.ts'
import { newCodeWord } from '../../src/index.ts'
import { failureOf } from '../harness/failure.ts'

/** One page that nobody has visited, and the user in front of it. The machine has one reader, without a card. */
export interface Visit {
  readonly initialize: typeof initialize
  /** A token of the page's application. */
  token(lifetimeS?: number): string
  copy(text: string): Promise<void>
  insert(atr: string): Promise<void>
  remove(): Promise<void>
  revokeConsent(): Promise<void>
}

const belgian = '3B9813400AA503010101AD1311'

export function testConnector(visit: () => Promise<Visit>): void {
  const askForConsent = async (page: Visit, jwt = page.token()): Promise<CardwireClient> => {
    const error = await failureOf(page.initialize({ jwt }))
    if (error.code !== '500') throw error
    return error.client
  }
  const connect = async (page: Visit): Promise<CardwireClient> => {
    const asking = await askForConsent(page)
    const codeWord = newCodeWord()
    await page.copy(codeWord)
    return asking.getConsent(codeWord)
  }
  const open = async () => {
    const page = await visit()
    return { page, client: await connect(page) }
  }

  test('a new page is asked for consent, and a code word on the clipboard gives it', async () => {
    proves('test-double')
    const { client } = await open()
    expect((await client.info()).t1CInfoAPI.service.deviceType).toBe('API')
    expect(client.url).toMatch(/^https:\/\/localhost:\d+$/)
    expect(await client.version()).toBe('4.0.0')
  })

  test('the third code word that is not on the clipboard is no-agent', async () => {
    const page = await visit()
    let client = await askForConsent(page)
    await page.copy('something else that was copied')
    const reasons: string[] = []
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const error = await failureOf(client.getConsent(newCodeWord()))
      reasons.push(`${error.code} ${error.reason} ${error.wireCode}`)
      client = error.client ?? client
    }
    expect(reasons).toEqual([
      '500 consent-required 814501',
      '500 consent-required 814501',
      '500 no-agent 814500',
    ])
  })

  test('a code word that is too short is code-word-refused', async () => {
    const client = await askForConsent(await visit())
    const { code, reason } = await failureOf(client.getConsent('short'))
    expect([code, reason]).toEqual(['115', 'code-word-refused'])
  })

  test('the consent lasts: a page that comes again has its client at once', async () => {
    const { page } = await open()
    const client = await page.initialize({ jwt: page.token() })
    expect((await client.readers()).length).toBe(1)
    expect((await client.validateConsent()).url).toBe(client.url)
  })

  test('a consent that is revoked ends calls and events with consent-required', async () => {
    const { page, client } = await open()
    const events = client.readerEvents()
    await events.next()
    await page.revokeConsent()
    const { code, reason, wireCode } = await failureOf(client.readers())
    expect([code, reason, wireCode]).toEqual(['500', 'consent-required', '814501'])
    expect((await failureOf(events.next())).reason).toBe('consent-required')
  })

  test('a page without a token, and one whose token has expired, are told so', async () => {
    const { page } = await open()
    const reasonWith = async (jwt?: string) => {
      const error = await failureOf(page.initialize({ jwt }))
      return [error.code, error.reason]
    }
    expect(await reasonWith()).toEqual(['199', 'token-missing'])
    expect(await reasonWith(page.token(-60))).toEqual(['199', 'token-expired'])
  })

  test('readers and cards are listed as they are', async () => {
    const { page, client } = await open()
    const [reader] = await client.readers()
    if (!reader) throw new Error('there is no reader')
    expect(reader).toEqual({
      id: expect.stringMatching(/^[\da-f]{16}$/),
      name: expect.any(String),
      pinpad: false,
    })
    expect(await client.readersCardsUnavailable()).toEqual([reader])
    expect(await client.readersCardAvailable()).toEqual([])
    const coming = client.detectCard(reader.id, { timeoutS: 20 })
    await page.insert(belgian)
    const full = await coming
    expect(full).toEqual({ ...reader, card: expect.objectContaining({ atr: belgian }) })
    expect(await client.detectAnyCard({ timeoutS: 20 })).toEqual(full)
    expect(await client.detectReaders({ timeoutS: 20 })).toEqual([full])
    expect(await client.reader(reader.id)).toEqual(full)
    expect(await client.readersCardAvailable()).toEqual([full])
    const part = reader.name.slice(0, 4).toUpperCase()
    expect(await client.readersExcludedByName([part])).toEqual([])
    expect(await client.readersExcludedByName('no such name')).toEqual([full])
    await page.remove()
  })

  test('a detection without a card is null when time is up', async () => {
    const { client } = await open()
    expect(await client.detectAnyCard({ timeoutS: 1 })).toBeNull()
  })

  test('readerEvents yields the readers, and each card that comes and goes', async () => {
    proves('test-double')
    const { page, client } = await open()
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const events = client.readerEvents({ signal: leaving.signal })
    const next = async () => (await events.next()).value
    const snapshot = await next()
    expect(snapshot).toMatchObject({ type: 'snapshot', cardService: { state: 'up' } })
    const [empty] = (snapshot?.readers ?? []) as Reader[]
    await page.insert(belgian)
    const full = { ...empty, card: expect.objectContaining({ atr: belgian }) }
    expect(await next()).toEqual({ type: 'card-inserted', reader: full, readers: [full] })
    await page.remove()
    expect(await next()).toEqual({ type: 'card-removed', reader: empty, readers: [empty] })
    leaving.abort()
    expect(await events.next()).toEqual({ value: undefined, done: true })
  })

  test('what the connector does not know is refused with the name of the problem', async () => {
    const { client } = await open()
    const describe = async (call: Promise<unknown>) => {
      const { code, reason, problem, wireCode } = await failureOf(call)
      return { code, reason, problem, wireCode }
    }
    const refused = { code: '100', reason: 'refused' }
    expect(await describe(client.reader('0'))).toEqual({
      ...refused,
      problem: 'reader-unknown',
      wireCode: '701001',
    })
    expect(await describe(client.detectCard('0'))).toMatchObject({ problem: 'reader-unknown' })
    expect(await describe(client.module('none'))).toMatchObject({ problem: 'module-unknown' })
    expect(await describe(client.detectAnyCard({ timeoutS: 61 }))).toEqual({
      ...refused,
      problem: 'input-invalid',
      wireCode: '106004',
    })
  })

  test('modules, certificate and browser have their fields', async () => {
    const { client } = await open()
    expect((await client.modules()).map(({ id }) => id)).toContain('x509')
    expect(await client.module('x509')).toMatchObject({ id: 'x509', cards: false })
    expect(Object.keys(await client.deviceCertificate()).sort()).toEqual([
      'certificate',
      'fingerprint',
    ])
    expect(await client.browser()).toMatchObject({ mobile: false, os: {} })
  })

  test('a call that the page aborts is aborted, also while it waits', async () => {
    const { client } = await open()
    const leaving = new AbortController()
    const waiting = failureOf(client.detectAnyCard({ signal: leaving.signal }))
    leaving.abort()
    expect((await waiting).reason).toBe('aborted')
  })

  test('updateJWT replaces the token, and refuses what is none', async () => {
    const { page, client } = await open()
    expect(await client.updateJWT(page.token())).toBe(client)
    const { code, reason } = await failureOf(client.updateJWT('no token'))
    expect([code, reason]).toEqual(['121', 'token-missing'])
  })
}
