/** The registry over TLS: real connectors with their state databases and clipboards, and pages that ask it. */
import { once } from 'node:events'
import { createServer } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createRegistryClient } from '../../src/api/registry-connection/registry-client.ts'
import type { RegistryConnection } from '../../src/api/registry-connection/registry-connection.ts'
import type { CertificateKeyPair } from '../../src/pki/certificate.ts'
import { pollAgent, registerAgent } from '../../src/system/ipc/registry-messages.ts'
import type { Log } from '../../src/system/log.ts'
import type { PeerOwner } from '../../src/system/peer-owner.ts'
import { type ConsentSetup, createConsentSetup, origin } from '../consent/consent-setup.ts'
import {
  type ConnectionChoices,
  connectAgent,
  createCertificate,
  type PageRequest,
  type RegistryOptions,
  requestAsPage,
  serveRegistry,
  toRegistryCertificate,
} from './network.ts'
import { createRegistration } from './registrations.ts'

let certificate: CertificateKeyPair
let port: number
const closing: (() => unknown)[] = []

beforeAll(async () => {
  certificate = await createCertificate()
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function start(options: RegistryOptions = {}): Promise<void> {
  port = await findFreePort()
  const server = serveRegistry(port, certificate, options)
  closing.push(() => server.stop())
}

/** A user whose connector has found the registry. */
async function join(
  choices: ConnectionChoices = {},
): Promise<{ setup: ConsentSetup; link: RegistryConnection }> {
  const setup = createConsentSetup({ port: choices.apiPort ?? 25_100, at: Date.now() })
  const link = connectAgent(setup, port, certificate, choices)
  closing.push(setup.close, link.stop)
  await expect.poll(() => link.state().kind).toBe('linked')
  return { setup, link }
}

const ask = (path: string, request?: PageRequest) => requestAsPage(port, certificate, path, request)
const newWord = () => `::t1c::miksa::${crypto.randomUUID()}`

describe('page', () => {
  test('gets the short form of /info, unsigned', async () => {
    await start({ cors: [origin] })
    const { status, json } = await ask('/info')
    expect(status).toBe(200)
    const about = {
      t1CInfoAPI: {
        service: { deviceType: 'PROXY', dsRegistryActivated: false },
        version: '4.0.0',
        status: 'ACTIVATED',
        optionalConsent: false,
      },
      t1CInfoUser: { hostName: 'localhost' },
    }
    expect(json).toEqual({ success: true, data: about, ...about })
  })

  test('gets the key of the only connector, and none where there are several', async () => {
    await start({ cors: [origin] })
    expect((await ask('/device-key')).json).toEqual({ success: true, data: null })
    const { setup } = await join()
    expect((await ask('/device-key')).json.data).toBe(`key of ${setup.consentService.agentId}`)
    await join({ apiPort: 25_101 })
    expect((await ask('/device-key')).json.data).toBeNull()
  })

  test('gets a consent from the connector with its code word, and finds it again by the consent', async () => {
    await start()
    const { setup: ada } = await join()
    const { setup: bob } = await join({ apiPort: 25_101 })
    const codeWord = newWord()
    bob.copy(codeWord)
    ada.copy(newWord())
    const first = await ask('/v3/consent', { body: { codeWord, durationInDays: 7 } })
    expect(first.json.data.consentState).toBe('APPROVED')
    const held = first.json.data.consents
    const read = JSON.parse(Buffer.from(held[0], 'base64').toString())
    expect(read.agent).toMatchObject({ agentId: bob.consentService.agentId, apiPort: '25101' })

    const validated = await ask('/v3/validate', { body: { consents: held } })
    expect(validated.json.data).toMatchObject({ consentState: 'APPROVED' })
    expect((await ask('/consent')).json.data).toEqual({ apiPort: '25101' })
    expect((await ask('/v3/agents')).json.data).toMatchObject([{ apiPort: '25101' }])
  })

  test('of clients up to 3.4 gets a consent by the address with its code word', async () => {
    await start()
    const { setup } = await join()
    const codeWord = newWord()
    setup.copy(codeWord)
    const path = `/agents/consent/${encodeURIComponent(codeWord)}?ttl=86400`
    expect((await ask(path)).json.data).toEqual({ apiPort: '25100' })
    expect(setup.store.list()).toMatchObject([{ origin }])
  })

  test('of another origin finds no connector', async () => {
    await start()
    const { setup } = await join({ allowlist: () => [origin, 'https://other.example'] })
    const codeWord = newWord()
    setup.copy(codeWord)
    const { json } = await ask('/v3/consent', { body: { codeWord } })
    const other = { origin: 'https://other.example' }
    const validated = await ask('/v3/validate', {
      body: { consents: json.data.consents },
      ...other,
    })
    expect([validated.status, validated.json.data]).toEqual([200, { consentState: 'REQUIRED' }])
    expect((await ask('/v3/agents', other)).json.data).toEqual([])
    expect([
      (await ask('/consent', other)).status,
      (await ask('/consent', other)).json.code,
    ]).toEqual([403, '814501'])
  })

  test('whose code word no connector can check is answered at once', async () => {
    await start({ cors: [origin] })
    const from = performance.now()
    const { status, json } = await ask('/v3/consent', { body: { codeWord: newWord() } })
    expect([status, json.data]).toEqual([200, { consentState: 'REQUIRED' }])
    expect(performance.now() - from).toBeLessThan(1000)
  })

  test('whose user has an unresponsive clipboard is answered within three seconds and a half', async () => {
    await start()
    const { setup } = await join()
    setup.setClipboard(() => new Promise(() => undefined))
    const from = performance.now()
    const { status, json } = await ask('/v3/consent', { body: { codeWord: newWord() } })
    expect([status, json.data]).toEqual([200, { consentState: 'REQUIRED' }])
    expect(performance.now() - from).toBeLessThan(3500)
  })

  test.each(['/v3/readers', '/v3/version', '/v3/certificates', '/nothing'])(
    'gets a readable problem for %s, which the registry does not have',
    async (path) => {
      await start({ cors: [origin] })
      const { status, json, headers } = await ask(path)
      expect([status, json.code]).toEqual([404, '112999'])
      expect(headers['access-control-allow-origin']).toBe(origin)
    },
  )

  test('of an origin that no connector allows is refused', async () => {
    proves('page-not-listed')
    await start()
    await join()
    const { status, json } = await ask('/info', { origin: 'https://evil.example' })
    expect([status, json.code]).toEqual([403, '104002'])
  })

  test('of an origin that another user allows is refused, and so is its preflight request', async () => {
    proves('other-account-origins')
    let owner: PeerOwner = { kind: 'other', user: '1001' }
    await start({ cors: [origin], service: true, owner: () => owner })
    const evil = 'https://evil.example'
    const body = createRegistration({ allowlist: [evil] })
    expect((await ask('/agent/register', { body, origin: null })).status).toBe(200)
    expect((await ask('/device-key', { origin: evil })).json.data).toBe('key of ada')

    owner = { kind: 'ours', user: '1000' }
    for (const path of ['/info', '/device-key', '/v3/agents', '/consent']) {
      for (const method of ['GET', 'OPTIONS']) {
        const { status, headers } = await ask(path, { origin: evil, method })
        expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined])
      }
    }
    expect((await ask('/info')).status).toBe(200)
  })

  test('of a user is answered while a page of another user, of the same origin, sends too many', async () => {
    proves('other-account-floods')
    let owner: PeerOwner = { kind: 'other', user: '1001' }
    await start({ cors: [origin], service: true, owner: () => owner })
    const isRefused = async () => {
      const { json } = await ask('/v3/consent', { body: { codeWord: newWord() } })
      return json.data.retryAfterS !== undefined
    }
    const refusals: boolean[] = []
    for (let n = 0; n < 6; n += 1) refusals.push(await isRefused())
    expect(refusals).toEqual([false, false, false, false, false, true])
    owner = { kind: 'other', user: '1000' }
    expect(await isRefused()).toBe(false)
  })

  test('of a site below an allowlist entry that is not an origin is refused', async () => {
    proves('other-account-origins')
    await start()
    const body = createRegistration({ allowlist: ['https://*.com', '*', 'https://*'] })
    expect((await ask('/agent/register', { body, origin: null })).status).toBe(200)
    for (const path of ['/info', '/device-key']) {
      expect((await ask(path, { origin: 'https://evil.com' })).status).toBe(403)
    }
  })

  test('can still read the answer when its connector has gone', async () => {
    await start()
    const { link } = await join()
    await link.stop()
    const { status, headers } = await ask('/info')
    expect([status, headers['access-control-allow-origin']]).toEqual([200, origin])
  })

  test('of an origin that is allowed later is answered without a restart', async () => {
    await start()
    const allowed = [origin]
    const { link } = await join({ allowlist: () => allowed })
    const late = { origin: 'https://late.example' }
    expect((await ask('/info', late)).status).toBe(403)
    allowed.push(late.origin)
    link.refresh()
    await expect.poll(async () => (await ask('/info', late)).status).toBe(200)
    expect(link.state().kind).toBe('linked')
  })

  test('leaves no code word in the log', async () => {
    proves('connector-log-secrets')
    const lines: string[] = []
    const line = (event: string, fields: object = {}) =>
      void lines.push(`${event} ${JSON.stringify(fields)}`)
    const log: Log = { debug: line, info: line, warn: line, error: line }
    await start({ log })
    const { setup } = await join({ log })
    const words = [newWord(), newWord()]
    for (const codeWord of words) {
      setup.copy(codeWord)
      await ask('/v3/consent', { body: { codeWord } })
      await ask(`/agents/consent/${encodeURIComponent(codeWord)}`)
    }
    expect(lines.length).toBeGreaterThan(4)
    for (const word of words) {
      expect(lines.join()).not.toContain(word)
      expect(lines.join()).not.toContain(encodeURIComponent(word))
    }
  })
})

describe('endpoints of agents', () => {
  const registering = { body: createRegistration(), origin: null }

  test.each([
    ['an allowed origin', { origin }],
    ['an origin and no browser', { origin, headers: { 'sec-fetch-site': 'none' } }],
    ['sec-fetch-site none', { headers: { 'sec-fetch-site': 'none' } }],
    ['sec-fetch-mode', { headers: { 'sec-fetch-mode': 'cors' } }],
    ['sec-fetch-dest', { headers: { 'sec-fetch-dest': 'empty' } }],
  ])('refuse %s', async (_, changes) => {
    proves('page-as-agent')
    await start({ cors: [origin] })
    const { status, json } = await ask('/agent/register', { ...registering, ...changes })
    expect([status, json.code]).toEqual([403, '104005'])
  })

  test('refuse a program that does not know the header of clients', async () => {
    proves('page-as-agent')
    await start()
    const { status } = await ask('/agent/register', {
      ...registering,
      headers: { 'x-csrf-token': 'other' },
    })
    expect(status).toBe(403)
  })

  test.each([
    ['another protocol', { protocol: 2 }],
    ['no agent id', { agentId: 'ada' }],
    ['a port that is none', { port: 70_000 }],
  ])('refuse a registration with %s', async (_, changes) => {
    await start()
    const body = { ...createRegistration(), ...changes }
    expect((await ask('/agent/register', { body, origin: null })).status).toBe(422)
  })

  test('keep users apart: the session of another user is refused, its agent id does not block others', async () => {
    let owner: PeerOwner = { kind: 'ours', user: '1000' }
    await start({ owner: () => owner })
    const client = createRegistryClient(port, async () => [toRegistryCertificate(certificate)])
    closing.push(client.close)
    const { session } = await client.post(registerAgent, createRegistration())
    owner = { kind: 'other', user: '1001' }
    const refused = expect.objectContaining({ problem: 'caller-refused' })
    const other = await client.post(registerAgent, createRegistration({ pid: 7 }))
    expect(other.session).not.toBe(session)
    await expect(client.post(pollAgent, { session })).rejects.toThrow(refused)
    const guess = Buffer.alloc(32, 1).toString('base64url')
    await expect(client.post(pollAgent, { session: guess })).rejects.toThrow(
      expect.objectContaining({ problem: 'agent-unknown' }),
    )
  })

  test('refuse a caller that closed the connection before its owner was looked up', async () => {
    proves('owner-look-up-race')
    await start({ owner: () => ({ kind: 'gone' }) })
    const client = createRegistryClient(port, async () => [toRegistryCertificate(certificate)])
    closing.push(client.close)
    await expect(client.post(registerAgent, createRegistration())).rejects.toThrow(
      expect.objectContaining({ problem: 'caller-refused' }),
    )
    for (const path of ['/v3/agents', '/device-key']) {
      expect((await ask(path)).status).toBe(403)
    }
  })

  test('accept an allowlist with a host of 253 characters, and an entry of 512 that is no origin', async () => {
    await start()
    const origin = `https://${'a'.repeat(253 - '.example'.length)}.example`
    const body = createRegistration({ allowlist: [origin, `https://${'a'.repeat(504)}`] })
    expect((await ask('/agent/register', { body, origin: null })).status).toBe(200)
    expect((await ask('/info', { origin })).status).toBe(200)
  })
})

describe('connector', () => {
  test('sends nothing to a registry whose certificate it does not know', async () => {
    proves('registry-foreign', 'registry-port-first')
    const foreign = await createCertificate()
    await start()
    const setup = createConsentSetup()
    const link = connectAgent(setup, port, certificate, {
      known: [toRegistryCertificate(foreign)],
    })
    closing.push(setup.close, link.stop)
    await expect.poll(() => link.state().kind).toBe('foreign')
    expect((await ask('/device-key', { origin: null })).json.data).toBeNull()
  })

  test('sends nothing over a connection that shows another certificate than before', async () => {
    const foreign = toRegistryCertificate(await createCertificate())
    await start()
    const client = createRegistryClient(port, async () => [foreign])
    closing.push(client.close)
    await expect(client.post(registerAgent, createRegistration())).rejects.toThrow('Cannot trust')
    expect((await ask('/device-key', { origin: null })).json.data).toBeNull()
  })

  test('recognizes the service of the machine by its certificate', async () => {
    await start()
    const { link } = await join({ known: [toRegistryCertificate(certificate, 'service')] })
    expect(link.state()).toEqual({ kind: 'linked', scope: 'service' })
  })

  test('stops at once although its registry does not respond', async () => {
    port = await findFreePort()
    const requested = Promise.withResolvers<void>()
    const silent = createServer(certificate, (socket) =>
      socket.once('data', () => requested.resolve()),
    )
    await once(silent.listen(port, '127.0.0.1'), 'listening')
    const setup = createConsentSetup()
    const link = connectAgent(setup, port, certificate)
    closing.push(setup.close, () => silent.close())
    await requested.promise
    const from = performance.now()
    await link.stop()
    expect(performance.now() - from).toBeLessThan(2000)
  })

  test('finds a restarted registry, and consents stay valid', async () => {
    port = await findFreePort()
    const first = serveRegistry(port, certificate)
    const { setup } = await join()
    const codeWord = newWord()
    setup.copy(codeWord)
    const { json } = await ask('/v3/consent', { body: { codeWord } })
    await first.stop()
    const second = serveRegistry(port, certificate, { cors: [origin] })
    closing.push(() => second.stop())
    const validated = await ask('/v3/validate', { body: { consents: json.data.consents } })
    expect(validated.json.data.consentState).toBe('APPROVED')
  })
})

test('fifty connectors, a hundred requests at once and a thousand consents get right answers', async () => {
  await start()
  const origins = Array.from({ length: 100 }, (_, index) => `https://page-${index}.shops.example`)
  const allowlist = () => ['https://*.shops.example']
  const setups = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const { setup } = await join({ apiPort: 25_100 + index, allowlist })
      return setup
    }),
  )
  for (const setup of setups) setup.copy(newWord())

  // Each word is on one clipboard; two pages at a time look for the same user.
  const words = setups.map((setup) => {
    const word = newWord()
    setup.copy(word)
    return word
  })
  const responses = await Promise.all(
    origins.map((from, index) =>
      ask('/v3/consent', { origin: from, body: { codeWord: words[index % 50] } }),
    ),
  )
  const states = responses.map(({ json }) => json.data.consentState)
  // A word works for one origin.
  for (let index = 0; index < 50; index += 1) {
    expect([states[index], states[index + 50]].toSorted()).toEqual(['APPROVED', 'REQUIRED'])
  }
  const winners = responses.flatMap(({ json }, index) =>
    json.data.consent ? [{ consent: json.data.consent as string, index }] : [],
  )
  for (const { consent, index } of winners) {
    const { agent } = JSON.parse(Buffer.from(consent, 'base64').toString())
    expect(agent.apiPort).toBe(String(25_100 + (index % 50)))
  }

  // A thousand, thirty-two at a time: each page finds its own among those of the others.
  const rounds = await Promise.all(
    Array.from({ length: 32 }, async (_, round) => {
      const { index } = winners[round % winners.length] ?? { index: 0 }
      const mine = winners.find((one) => one.index === index)?.consent ?? ''
      const others = winners.filter((one) => one.index !== index).slice(0, 31)
      const consents = [...others.map(({ consent }) => consent), mine]
      const { json } = await ask('/v3/validate', {
        origin: origins[index] ?? '',
        body: { consents },
      })
      return { json, apiPort: String(25_100 + (index % 50)), count: consents.length }
    }),
  )
  expect(rounds.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(1000)
  for (const { json, apiPort } of rounds) {
    expect(json.data.consentState).toBe('APPROVED')
    expect(json.data.consents).toHaveLength(1)
    const { agent } = JSON.parse(Buffer.from(json.data.consent, 'base64').toString())
    expect(agent.apiPort).toBe(apiPort)
  }
})
