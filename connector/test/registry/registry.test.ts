/** The registry over TLS: real connectors with their state databases and clipboards, and pages that ask it. */
import { once } from 'node:events'
import { createServer } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Link } from '../../src/agent/link.ts'
import { openLine } from '../../src/agent/pinned.ts'
import { pollAgent, registerAgent } from '../../src/agent/protocol.ts'
import type { Pair } from '../../src/pki/certificate.ts'
import type { Log } from '../../src/system/log.ts'
import type { Owner } from '../../src/system/owner.ts'
import { newPerson, origin, type Person } from '../consent/person.ts'
import {
  type Asked,
  askPage,
  freePort,
  type LinkChoices,
  linkPerson,
  newCertificate,
  pinOf,
  type RegistryOptions,
  serveRegistry,
} from './network.ts'
import { registrationOf } from './registrations.ts'

let certificate: Pair
let port: number
const closing: (() => unknown)[] = []

beforeAll(async () => {
  certificate = await newCertificate()
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function start(options: RegistryOptions = {}): Promise<void> {
  port = await freePort()
  const server = serveRegistry(port, certificate, options)
  closing.push(() => server.stop())
}

/** A person whose connector has found the registry. */
async function join(choices: LinkChoices = {}): Promise<{ person: Person; link: Link }> {
  const person = newPerson({ port: choices.apiPort ?? 25_100, at: Date.now() })
  const link = linkPerson(person, port, certificate, choices)
  closing.push(person.close, link.stop)
  await expect.poll(() => link.state().kind, { timeout: 10_000 }).toBe('linked')
  return { person, link }
}

const ask = (path: string, asked?: Asked) => askPage(port, certificate, path, asked)
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
      t1CInfoUser: { hostName: 'desk-7' },
    }
    expect(json).toEqual({ success: true, data: about, ...about })
  })

  test('gets the key of the only connector, and none where there are several', async () => {
    await start({ cors: [origin] })
    expect((await ask('/device-key')).json).toEqual({ success: true, data: null })
    const { person } = await join()
    expect((await ask('/device-key')).json.data).toBe(`key of ${person.desk.agentId}`)
    await join({ apiPort: 25_101 })
    expect((await ask('/device-key')).json.data).toBeNull()
  })

  test('is let in by the one who has the code word, and found again by the consent', async () => {
    await start()
    const { person: ada } = await join()
    const { person: bob } = await join({ apiPort: 25_101 })
    const codeWord = newWord()
    bob.copy(codeWord)
    ada.copy(newWord())
    const first = await ask('/v3/consent', { body: { codeWord, durationInDays: 7 } })
    expect(first.json.data.consentState).toBe('APPROVED')
    const held = first.json.data.consents
    const read = JSON.parse(Buffer.from(held[0], 'base64').toString())
    expect(read.agent).toMatchObject({ agentId: bob.desk.agentId, apiPort: '25101' })

    const validated = await ask('/v3/validate', { body: { consents: held } })
    expect(validated.json.data).toMatchObject({ consentState: 'APPROVED' })
    expect((await ask('/consent')).json.data).toEqual({ apiPort: '25101' })
    expect((await ask('/v3/agents')).json.data).toMatchObject([{ apiPort: '25101' }])
  })

  test('of clients up to 3.4 is let in by the address that names the word', async () => {
    await start()
    const { person } = await join()
    const codeWord = newWord()
    person.copy(codeWord)
    const path = `/agents/consent/${encodeURIComponent(codeWord)}?ttl=86400`
    expect((await ask(path)).json.data).toEqual({ apiPort: '25100' })
    expect(person.store.all()).toMatchObject([{ origin }])
  })

  test('of another origin finds nobody', async () => {
    await start()
    const { person } = await join({ allowlist: () => [origin, 'https://other.example'] })
    const codeWord = newWord()
    person.copy(codeWord)
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

  test('that nobody can answer hears so at once', async () => {
    await start({ cors: [origin] })
    const from = performance.now()
    const { status, json } = await ask('/v3/consent', { body: { codeWord: newWord() } })
    expect([status, json.data]).toEqual([200, { consentState: 'REQUIRED' }])
    expect(performance.now() - from).toBeLessThan(1000)
  })

  test('whose person has a silent clipboard hears so within three seconds and a half', async () => {
    await start()
    const { person } = await join()
    person.clipboardIs(() => new Promise(() => undefined))
    const from = performance.now()
    const { status, json } = await ask('/v3/consent', { body: { codeWord: newWord() } })
    expect([status, json.data]).toEqual([200, { consentState: 'REQUIRED' }])
    expect(performance.now() - from).toBeLessThan(3500)
  })

  test.each(['/v3/readers', '/v3/version', '/v3/certificates', '/nothing'])(
    'finds no %s here, and can read so',
    async (path) => {
      await start({ cors: [origin] })
      const { status, json, headers } = await ask(path)
      expect([status, json.code]).toEqual([404, '112999'])
      expect(headers['access-control-allow-origin']).toBe(origin)
    },
  )

  test('of an origin that no connector allows is refused', async () => {
    await start()
    await join()
    const { status, json } = await ask('/info', { origin: 'https://evil.example' })
    expect([status, json.code]).toEqual([403, '104002'])
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
    const lines: string[] = []
    const line = (event: string, fields: object = {}) =>
      void lines.push(`${event} ${JSON.stringify(fields)}`)
    const log: Log = { debug: line, info: line, warn: line, error: line }
    await start({ log })
    const { person } = await join({ log })
    const words = [newWord(), newWord()]
    for (const codeWord of words) {
      person.copy(codeWord)
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
  const registering = { body: registrationOf(), origin: null }

  test.each([
    ['an allowed origin', { origin }],
    ['an origin and no browser', { origin, headers: { 'sec-fetch-site': 'none' } }],
    ['sec-fetch-site none', { headers: { 'sec-fetch-site': 'none' } }],
    ['sec-fetch-mode', { headers: { 'sec-fetch-mode': 'cors' } }],
    ['sec-fetch-dest', { headers: { 'sec-fetch-dest': 'empty' } }],
  ])('refuse %s', async (_, asked) => {
    await start({ cors: [origin] })
    const { status, json } = await ask('/agent/register', { ...registering, ...asked })
    expect([status, json.code]).toEqual([403, '104005'])
  })

  test('refuse a program that does not know the header of clients', async () => {
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
    const body = { ...registrationOf(), ...changes }
    expect((await ask('/agent/register', { body, origin: null })).status).toBe(422)
  })

  test('keep users apart: the session of another is refused, its agent id is in nobody’s way', async () => {
    let owner: Owner = { kind: 'ours', user: '1000' }
    await start({ owner: () => owner })
    const line = openLine(port, async () => [pinOf(certificate)])
    closing.push(line.close)
    const { session } = await line.post(registerAgent, registrationOf())
    owner = { kind: 'other', user: '1001' }
    const refused = expect.objectContaining({ problem: 'caller-refused' })
    const other = await line.post(registerAgent, registrationOf({ pid: 7 }))
    expect(other.session).not.toBe(session)
    await expect(line.post(pollAgent, { session })).rejects.toThrow(refused)
    const guess = Buffer.alloc(32, 1).toString('base64url')
    await expect(line.post(pollAgent, { session: guess })).rejects.toThrow(
      expect.objectContaining({ problem: 'agent-unknown' }),
    )
  })

  test('refuse whoever has closed the connection before its owner was looked up', async () => {
    await start({ owner: () => ({ kind: 'gone' }) })
    const line = openLine(port, async () => [pinOf(certificate)])
    closing.push(line.close)
    await expect(line.post(registerAgent, registrationOf())).rejects.toThrow(
      expect.objectContaining({ problem: 'caller-refused' }),
    )
    for (const path of ['/v3/agents', '/device-key']) {
      expect((await ask(path)).status).toBe(403)
    }
  })

  test('learn an allowlist with an entry of 512 characters', async () => {
    await start()
    const origin = `https://${'a'.repeat(512 - 'https://.example'.length)}.example`
    const body = registrationOf({ allowlist: [origin] })
    expect((await ask('/agent/register', { body, origin: null })).status).toBe(200)
    expect((await ask('/info', { origin })).status).toBe(200)
  })
})

describe('connector', () => {
  test('says nothing to a registry whose certificate it does not know', async () => {
    const foreign = await newCertificate()
    await start()
    const person = newPerson()
    const link = linkPerson(person, port, certificate, { pins: [pinOf(foreign)] })
    closing.push(person.close, link.stop)
    await expect.poll(() => link.state().kind).toBe('foreign')
    expect((await ask('/device-key', { origin: null })).json.data).toBeNull()
  })

  test('sends nothing over a connection that shows another certificate than before', async () => {
    const foreign = pinOf(await newCertificate())
    await start()
    const line = openLine(port, async () => [foreign])
    closing.push(line.close)
    await expect(line.post(registerAgent, registrationOf())).rejects.toThrow('Cannot trust')
    expect((await ask('/device-key', { origin: null })).json.data).toBeNull()
  })

  test('knows the service of the machine by its own certificate', async () => {
    await start()
    const { link } = await join({ pins: [pinOf(certificate, 'service')] })
    expect(link.state()).toEqual({ kind: 'linked', whose: 'service' })
  })

  test('ends at once although a registry that it knows says nothing', async () => {
    port = await freePort()
    const asked = Promise.withResolvers<void>()
    const silent = createServer(certificate, (socket) => socket.once('data', () => asked.resolve()))
    await once(silent.listen(port, '127.0.0.1'), 'listening')
    const person = newPerson()
    const link = linkPerson(person, port, certificate)
    closing.push(person.close, () => silent.close())
    await asked.promise
    const from = performance.now()
    await link.stop()
    expect(performance.now() - from).toBeLessThan(2000)
  })

  test('finds a registry that was restarted, and consents hold', async () => {
    port = await freePort()
    const first = serveRegistry(port, certificate)
    const { person } = await join()
    const codeWord = newWord()
    person.copy(codeWord)
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
  const persons = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const { person } = await join({ apiPort: 25_100 + index, allowlist })
      return person
    }),
  )
  for (const person of persons) person.copy(newWord())

  // Each word is on one clipboard; two pages at a time look for the same person.
  const words = persons.map((person) => {
    const word = newWord()
    person.copy(word)
    return word
  })
  const asked = await Promise.all(
    origins.map((from, index) =>
      ask('/v3/consent', { origin: from, body: { codeWord: words[index % 50] } }),
    ),
  )
  const states = asked.map(({ json }) => json.data.consentState)
  // A word works for one origin.
  for (let index = 0; index < 50; index += 1) {
    expect([states[index], states[index + 50]].toSorted()).toEqual(['APPROVED', 'REQUIRED'])
  }
  const winners = asked.flatMap(({ json }, index) =>
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
}, 60_000)
