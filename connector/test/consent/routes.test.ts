/** The consent endpoints as pages see them: states and codes, retries, limits, and the formats of older clients. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { ClipboardText } from '../../src/system/desktop/desktop.ts'
import { openStateDatabase } from '../../src/system/state/database.ts'
import { createConsentStore } from '../../src/user/consent/consent-store.ts'
import { decodeConsent } from '../../src/user/consent/consent-token.ts'
import { type ConsentSetup, createConsentSetup, origin } from './consent-setup.ts'
import { createPageServer, type SendRequest } from './page-server.ts'

const word = '::t1c::miksa::Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z'
const other = '::t1c::miksa::Zz9yXw8vUt7sRq6pOn5mLk4jIh3gFe2d'
/** How clients 3.5.0 to 3.5.2 say that they have no token. */
const noToken = { authorization: 'Bearer ' }

let setup: ConsentSetup
let ask: SendRequest
beforeEach(() => {
  setup = createConsentSetup()
  ask = createPageServer(setup)
})
afterEach(() => setup.close())

async function answer(response: Promise<Response>) {
  const { status } = await response
  const { success, data, code } = JSON.parse(await (await response).text())
  return { status, success, data, code }
}
const request = (body: object, headers = {}, from = origin) =>
  answer(ask('POST', '/v3/consent', { body, headers, origin: from }))
const validate = (body: object, from = origin) =>
  answer(ask('POST', '/v3/validate', { body, origin: from }))
const required = { status: 200, success: true, data: { consentState: 'REQUIRED' } }
const denied = { status: 403, success: false, code: '814501' }

async function consented(codeWord = word, body: object = {}) {
  setup.copy(codeWord)
  const { data } = await request({ codeWord, ...body })
  return data as { consentState: string; consents: string[]; consent: string }
}

describe('POST /v3/consent', () => {
  test('with the code word on the clipboard is APPROVED, with the consent first', async () => {
    setup.copy(word)
    const { status, success, data } = await request({ codeWord: word, durationInDays: 30 })
    expect([status, success, data.consentState]).toEqual([200, true, 'APPROVED'])
    expect(data.consents).toEqual([data.consent])
    expect(decodeConsent(data.consent)?.agent).toMatchObject({
      apiPort: '25100',
      validityInDays: '30',
    })
  })

  test.each([
    ['left out', {}],
    ['null', { durationInDays: null }],
    ['0', { durationInDays: 0 }],
  ])('with days %s holds for 365', async (_, body) => {
    const { consent } = await consented(word, body)
    expect(decodeConsent(consent)?.agent.validityInDays).toBe('365')
  })

  test.each([-1, 366, 1.5, '7', 1e300])('refuses %s days', async (durationInDays) => {
    setup.copy(word)
    const { status, code } = await request({ codeWord: word, durationInDays })
    expect([status, code, setup.clipboardReads()]).toEqual([422, '106004', 0])
  })

  test.each([
    {},
    { codeWord: 7 },
    { codeWord: word, consents: 'x' },
    { codeWord: word, consents: [7] },
  ])('refuses %j by name', async (body) => {
    expect(await request(body)).toMatchObject({ status: 422, code: '106004' })
  })

  test.each([
    ['15 characters', 'x'.repeat(15)],
    ['15 characters of four bytes', '🂡'.repeat(15)],
    ['4097 bytes', 'x'.repeat(4097)],
    ['nothing', ''],
  ])('with a code word of %s is REQUIRED without reading the clipboard', async (_, codeWord) => {
    setup.copy(codeWord)
    expect(await request({ codeWord })).toMatchObject(required)
    expect(setup.clipboardReads()).toBe(0)
  })

  test('with another text on the clipboard is REQUIRED', async () => {
    setup.copy(other)
    const { status, data } = await request({ codeWord: word })
    expect([status, data]).toEqual([200, { consentState: 'REQUIRED' }])
  })

  test('sent again within ten seconds gets the same answer, and counts as one request', async () => {
    proves('consent-retries')
    setup.copy(word)
    const body = { codeWord: word, durationInDays: 30 }
    const [first, second, third] = await Promise.all([request(body), request(body), request(body)])
    setup.setClock(setup.clock() + 9999)
    for (let n = 0; n < 7; n += 1) expect(await request(body)).toEqual(first)
    expect([second, third]).toEqual([first, first])
    expect(setup.clipboardReads()).toBe(1)
    expect(setup.store.list()).toHaveLength(1)
    setup.setClock(setup.clock() + 1)
    expect(await request(body)).toMatchObject(required)
  })

  test('refused is looked for again after a second: the code word may have come to the clipboard late', async () => {
    proves('consent-retries', 'consent-refusals-short')
    setup.copy(other)
    for (let n = 0; n < 3; n += 1) expect(await request({ codeWord: word })).toMatchObject(required)
    expect(setup.clipboardReads()).toBe(1)
    setup.copy(word)
    setup.setClock(setup.clock() + 999)
    expect(await request({ codeWord: word })).toMatchObject(required)
    expect(setup.clipboardReads()).toBe(1)
    setup.setClock(setup.clock() + 1)
    expect((await request({ codeWord: word })).data.consentState).toBe('APPROVED')
  })

  test('repeated while the clipboard is read slowly shares the answer, however long that takes', async () => {
    proves('consent-retries')
    const read = Promise.withResolvers<ClipboardText>()
    setup.setClipboard(() => read.promise)
    const first = request({ codeWord: word })
    setup.setClock(setup.clock() + 3000)
    const second = request({ codeWord: word })
    read.resolve({ kind: 'text', text: other })
    expect(await Promise.all([first, second])).toMatchObject([required, required])
    setup.setClock(setup.clock() + 999)
    expect(await request({ codeWord: word })).toMatchObject(required)
    expect(setup.clipboardReads()).toBe(1)
  })

  test('a sixth within a minute is REQUIRED without reading the clipboard, for this origin alone, and says when the next one counts', async () => {
    proves('consent-retries')
    setup.copy('nothing that anybody asks about')
    for (let n = 0; n < 5; n += 1) {
      const { data } = await request({ codeWord: `${word}${n}` })
      expect(data).toEqual({ consentState: 'REQUIRED' })
      setup.setClock(setup.clock() + 2000)
    }
    expect(setup.clipboardReads()).toBe(5)
    setup.copy(word)
    expect((await request({ codeWord: word })).data).toEqual({
      consentState: 'REQUIRED',
      retryAfterS: 50,
    })
    expect(setup.clipboardReads()).toBe(5)
    setup.copy(other)
    const elsewhere = await request({ codeWord: other }, {}, 'https://a.shops.example')
    expect(elsewhere.data.consentState).toBe('APPROVED')
  })

  test('for a code word that another origin has used is REQUIRED', async () => {
    await consented()
    expect(await request({ codeWord: word }, {}, 'https://a.shops.example')).toMatchObject(required)
  })

  test('returns the consents of other connectors reissued, and its own in place of older ones', async () => {
    const { consent: old } = await consented()
    const stranger = createConsentSetup({ port: 25_300 })
    stranger.copy(word)
    const theirs = await stranger.consentService.request({ codeWord: word, origin, days: 365 })
    stranger.close()
    const { consentService } = setup
    const both = createPageServer({
      ...setup,
      consentService: {
        ...consentService,
        validate: async (from, consents) => [
          ...(await consentService.validate(from, consents)),
          ...(theirs && consents.includes(theirs.consent) ? [theirs] : []),
        ],
      },
    })
    setup.copy(other)
    const body = { codeWord: other, consents: ['forged', old, theirs?.consent] }
    const { data } = await answer(both('POST', '/v3/consent', { body }))
    expect(data.consents).toEqual([data.consent, theirs?.consent])
    expect(data.consent).not.toBe(old)
  })

  test('from a program, which has no origin, is refused with the reason', async () => {
    const response = await ask('POST', '/v3/consent', { origin: null, body: { codeWord: word } })
    const { code, description } = JSON.parse(await response.text())
    expect([response.status, code]).toEqual([403, '104003'])
    expect(description).toContain('without an origin')
  })

  test.each([
    ['of another user', { kind: 'other', user: '1001' }],
    ['that has ended meanwhile', { kind: 'gone' }],
  ] as const)('from a process %s is refused without reading the clipboard', async (_, owner) => {
    proves('other-account-consent', 'owner-look-up-race')
    setup.copy(word)
    const elsewhere = createPageServer(setup, owner)
    for (const [method, path, body] of [
      ['POST', '/v3/consent', { codeWord: word }],
      ['POST', '/v3/validate', { consents: [] }],
      ['GET', '/consent', undefined],
      ['GET', `/agents/consent/${word}`, undefined],
      ['GET', '/v3/agents', undefined],
    ] as const) {
      expect(await answer(elsewhere(method, path, { body }))).toMatchObject({
        status: 403,
        code: '104006',
      })
    }
    expect(setup.clipboardReads()).toBe(0)
  })
})

test('process of another user gets the same response to everything, and learns of no origin or consent', async () => {
  proves('other-account-compares', 'other-account-calls')
  const { consent } = await consented()
  const intruder = createPageServer(setup, { kind: 'other', user: '1001' })
  const origins = [origin, 'https://a.shops.example', 'https://evil.example', 'null', null]
  const responses = await Promise.all(
    origins.flatMap((from) => [
      intruder('OPTIONS', '/v3/readers', { origin: from }),
      intruder('GET', '/v3/readers', { origin: from }),
      intruder('GET', '/nothing', { origin: from }),
      intruder('GET', '/consent', { origin: from, headers: { host: 'other.example' } }),
      intruder('GET', '/consent', { origin: from, headers: { 'x-csrf-token': 'other' } }),
      intruder('POST', '/v3/validate', { origin: from, body: { consents: [consent] } }),
    ]),
  )
  const refusals = await Promise.all(
    responses.map(async (response) => {
      const { code, description } = JSON.parse(await response.text())
      return JSON.stringify([response.status, [...response.headers], code, description])
    }),
  )
  expect(new Set(refusals).size).toBe(1)
  expect(refusals[0]).toContain('104006')
})

describe('POST /v3/validate', () => {
  test('with a valid one among others is APPROVED, and reissued', async () => {
    const { consent } = await consented()
    const { data } = await validate({ consents: ['forged', consent, ''] })
    expect(data).toEqual({ consentState: 'APPROVED', consents: [consent], consent })
  })

  test.each<readonly [string, (consent: string) => string[]]>([
    ['none', () => []],
    ['a forged one', () => ['Zm9yZ2Vk']],
    ['one that is cut off', (consent) => [consent.slice(0, -4)]],
    ['the valid one after 32 others', (consent) => [...Array(32).fill('Zm9yZ2Vk'), consent]],
    ['1 MB in one', () => ['QUFB'.repeat(250_000)]],
    ['1 MB in many', () => Array(250).fill('QUFB'.repeat(1000))],
  ])('with %s is REQUIRED, always with the same answer', async (_, consents) => {
    const { consent } = await consented()
    const { status, data } = await validate({ consents: consents(consent) })
    expect([status, data]).toEqual([200, { consentState: 'REQUIRED' }])
  })

  test('with a consent of another origin is REQUIRED', async () => {
    const { consent } = await consented()
    expect(await validate({ consents: [consent] }, 'https://a.shops.example')).toMatchObject(
      required,
    )
  })

  test('with a body that is too large is refused', async () => {
    proves('large-requests')
    expect(await validate({ consents: ['x'.repeat(1_100_000)] })).toMatchObject({ status: 413 })
  })
})

describe('string form of clients 3.5.0 to 3.5.2', () => {
  test('a request is answered with the consent itself, and validated as data', async () => {
    proves('legacy-single-consent')
    setup.copy(word)
    const { status, data } = await request({ codeWord: word, durationInDays: 365 }, noToken)
    expect([status, typeof data]).toEqual([200, 'string'])
    expect(await validate({ data })).toMatchObject({ status: 200, data })
  })

  test('a refusal is the problem that consent is required', async () => {
    setup.copy(other)
    expect(await request({ codeWord: word }, noToken)).toMatchObject(denied)
    expect(await validate({ data: 'Zm9yZ2Vk' })).toMatchObject(denied)
  })

  test.each([
    ['a token', { codeWord: word }, { authorization: 'Bearer token' }],
    ['no header', { codeWord: word }, {}],
    ['consents that are null, as 3.5.3 sends', { codeWord: word, consents: null }, noToken],
    ['consents', { codeWord: word, consents: [] }, noToken],
  ])('is not for a request with %s', async (_, body, headers) => {
    setup.copy(word)
    expect((await request(body, headers)).data.consentState).toBe('APPROVED')
  })
})

describe('clients up to 3.4', () => {
  const get = (path: string, from?: string) => answer(ask('GET', path, { origin: from ?? origin }))

  test('GET /consent returns the port once there is a consent, and only then', async () => {
    expect(await get('/consent')).toMatchObject(denied)
    await consented()
    expect(await get('/consent')).toMatchObject({ status: 200, data: { apiPort: '25100' } })
    expect(await get('/consent', 'https://a.shops.example')).toMatchObject(denied)
  })

  test('GET /consent is denied when two connectors have one', async () => {
    await consented()
    const [agent] = await setup.consentService.findActiveAgents({ origin })
    if (!agent) throw new Error('Nobody holds one')
    const two = createPageServer({
      ...setup,
      consentService: { ...setup.consentService, findActiveAgents: async () => [agent, agent] },
    })
    expect(await answer(two('GET', '/consent'))).toMatchObject(denied)
  })

  test.each([
    ['31536000', '365'],
    ['86401', '2'],
    ['1', '1'],
    ['0', '365'],
    [undefined, '365'],
  ])('GET /agents/consent with ttl %s holds for %s days', async (ttl, days) => {
    setup.copy(word)
    const query = ttl === undefined ? '' : `?ttl=${ttl}`
    expect(await get(`/agents/consent/${word}${query}`)).toMatchObject({
      status: 200,
      data: { apiPort: '25100' },
    })
    expect((await setup.consentService.findActiveAgents({ origin }))[0]?.validityInDays).toBe(days)
  })

  test.each(['31536001', '-1', '1.5', 'x', '9999999999'])(
    'GET /agents/consent refuses ttl %s',
    async (ttl) => {
      setup.copy(word)
      expect(await get(`/agents/consent/${word}?ttl=${ttl}`)).toMatchObject({ status: 422 })
      expect(setup.clipboardReads()).toBe(0)
    },
  )

  test('GET /agents/consent with another code word is denied, and its code word is in no log', async () => {
    setup.copy(other)
    expect(await get(`/agents/consent/${word}?ttl=86400`)).toMatchObject(denied)
    expect(setup.logged.join('\n')).toContain('/agents/consent/{codeWord}')
    expect(setup.logged.join('\n')).not.toContain(word.slice(-32))
  })
})

test('GET /v3/agents returns this connector to a page with consent', async () => {
  expect(await answer(ask('GET', '/v3/agents'))).toMatchObject(denied)
  const { consent } = await consented()
  const { data } = await answer(ask('GET', '/v3/agents'))
  expect(data).toEqual([decodeConsent(consent)?.agent])
})

describe('event stream', () => {
  async function opened() {
    await consented()
    const response = await ask('GET', '/v3/readers/events')
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    if (!reader) throw new Error('It has no body')
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toContain('event: snapshot')
    return async () => {
      const started = performance.now()
      while (!(await reader.read()).done);
      // A stream looks for itself every five seconds; it is to be told before.
      expect(performance.now() - started).toBeLessThan(4000)
    }
  }

  test('ends when another process revokes the consent', async () => {
    proves('events-end-with-consent', 'events-outlive')
    const end = await opened()
    const database = openStateDatabase(setup.runtime, setup.log)
    createConsentStore(database).revoke(setup.clock(), origin)
    database.close()
    await end()
    expect(await answer(ask('GET', '/v3/readers/events'))).toMatchObject(denied)
  })

  test('ends when the consent expires', async () => {
    proves('events-end-with-consent', 'events-outlive')
    const end = await opened()
    setup.setClock(setup.clock() + 365 * 86_400_000)
    await end()
    expect(await answer(ask('GET', '/v3/readers/events'))).toMatchObject(denied)
  })
})
