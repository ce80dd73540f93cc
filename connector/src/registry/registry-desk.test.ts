/** Whom the registry believes: answers of APIs that are honest, silent, wrong, or lie. */
import { randomBytes } from 'node:crypto'
import type { Agent } from '@cardwire/client/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { type ManualClock, manualClock, settled } from '../../test/registry/manual-clock.ts'
import { agentIds, registrationOf } from '../../test/registry/registrations.ts'
import type { Answer, Question } from '../agent/protocol.ts'
import type { ConsentDesk } from '../consent/desk.ts'
import { askFor, proofFor } from '../consent/proof.ts'
import { createDirectory, type Directory } from './directory.ts'
import { createInquiries, type Inquiries } from './inquiries.ts'
import { registryDesk } from './registry-desk.ts'

const origin = 'https://shop.example'
const codeWord = 'a code word that is long enough'
const never = new AbortController().signal

let clock: ManualClock
let directory: Directory
let inquiries: Inquiries
let desk: ConsentDesk
let logged: string[]

beforeEach(() => {
  clock = manualClock()
  directory = createDirectory(clock)
  logged = []
  const log = {
    warn: (event: string, fields: object = {}) =>
      void logged.push(`${event} ${JSON.stringify(fields)}`),
  }
  inquiries = createInquiries(directory, clock, log)
  desk = registryDesk({ directory, inquiries, log })
})

const agentOf = (agentId: string, changes: Partial<Agent> = {}): Agent => ({
  agentId,
  consentId: crypto.randomUUID(),
  username: 'told',
  hostname: 'desk-7',
  apiIp: '127.0.0.1',
  apiPort: '25100',
  apiPid: '100',
  sandboxIp: '127.0.0.1',
  sandboxPort: '',
  sandboxPid: '0',
  apiLastUsed: '2026-11-21 09:30:00.000000 UTC',
  clientLastUsed: '2026-11-21 09:30:00.000000 UTC',
  validityInDays: '365',
  connectionState: 'CONSENT',
  ...changes,
})

const consentOf = (agent: Agent) =>
  Buffer.from(JSON.stringify({ agent, signedHash: randomBytes(32).toString('base64') })).toString(
    'base64',
  )

const grantedOf = (agent: Agent) => ({ agent, consent: consentOf(agent) })

type Act = (question: Question) => Answer | undefined

/** An API that answers as the test likes; undefined: never. */
function join(act: Act, changes: Parameters<typeof registrationOf>[0] = {}, user = '1000') {
  const session = directory.register(registrationOf(changes), user)
  const asked: Question[] = []
  const loop = async () => {
    for (;;) {
      const questions = await directory.of(session, user).mailbox.take(never)
      asked.push(...questions)
      const answers = questions.flatMap((question) => act(question) ?? [])
      if (answers.length > 0) inquiries.take(directory.of(session, user), answers)
    }
  }
  loop().catch(() => undefined)
  return { asked }
}

const no: Act = ({ id }) => ({ kind: 'no', id })
const silent: Act = () => undefined

/** One that has this text on its clipboard. */
const withClipboard =
  (text: string, agentId: string, changes: Partial<Agent> = {}, consented?: Agent): Act =>
  (question) => {
    if (question.kind !== 'request' || question.ask !== askFor(text, question)) return no(question)
    const agent = agentOf(agentId, changes)
    return {
      kind: 'granted',
      id: question.id,
      granted: { agent, consent: consentOf(consented ?? agent) },
      proof: proofFor(text, question, agentId),
    }
  }

const request = () => desk.request({ codeWord, origin, days: 365 })
const bob = { agentId: agentIds.bob, pid: 200 }

describe('request', () => {
  test('without any agent is answered at once', async () => {
    expect(await request()).toBeUndefined()
    expect(clock.now()).toBe(0)
  })

  test('finds the one who has the code word, as soon as all have answered', async () => {
    join(withClipboard(codeWord, agentIds.ada))
    join(no, bob, '1001')
    expect((await request())?.agent.agentId).toBe(agentIds.ada)
    expect(clock.now()).toBe(0)
  })

  test('that all refuse is answered at once', async () => {
    join(withClipboard('something else altogether', agentIds.ada))
    join(no, bob, '1001')
    expect(await request()).toBeUndefined()
    expect(clock.now()).toBe(0)
  })

  test('waits three seconds for the silent, and takes the proof that came', async () => {
    join(withClipboard(codeWord, agentIds.ada))
    join(silent, bob, '1001')
    const answer = request()
    let heard = false
    void answer.then(() => (heard = true))
    await clock.pass(2999)
    expect(heard).toBe(false)
    await clock.pass(1)
    expect((await answer)?.agent.agentId).toBe(agentIds.ada)
  })

  test('waits no second time for one that let a question pass, until it answers', async () => {
    join(silent)
    const first = request()
    await clock.pass(3000)
    await first
    const second = request()
    await clock.pass(300)
    expect([await second, clock.now()]).toEqual([undefined, 3300])
    const [member] = directory.members()
    if (!member) throw new Error('There is no member')
    // Late, and an answer all the same.
    inquiries.take(member, [{ kind: 'no', id: crypto.randomUUID() }])
    const third = request()
    let heard = false
    void third.then(() => (heard = true))
    await clock.pass(2999)
    expect(heard).toBe(false)
    await clock.pass(1)
    await third
  })

  test('found by two is nobody’s, and the log does not name the word', async () => {
    join(withClipboard(codeWord, agentIds.ada))
    join(withClipboard(codeWord, agentIds.bob), bob, '1001')
    expect(await request()).toBeUndefined()
    expect(logged).toEqual([expect.stringContaining('code word found by several')])
    expect(logged.join()).not.toContain(codeWord)
  })

  test('found by two users who go by one id is nobody’s', async () => {
    join(withClipboard(codeWord, agentIds.ada))
    join(withClipboard(codeWord, agentIds.ada, { apiPort: '25101' }), { port: 25_101 }, '1001')
    expect(await request()).toBeUndefined()
    expect(logged).toEqual([expect.stringContaining('code word found by several')])
  })

  test('found by two connectors of one user is that user’s', async () => {
    join(withClipboard(codeWord, agentIds.ada))
    join(withClipboard(codeWord, agentIds.ada, { apiPort: '25101' }), { pid: 101, port: 25_101 })
    expect((await request())?.agent.agentId).toBe(agentIds.ada)
  })

  test('is asked with a nonce of its own and nothing of the word', async () => {
    const { asked } = join(no)
    await request()
    await request()
    expect(JSON.stringify(asked)).not.toContain(codeWord)
    expect(asked.map((question) => 'nonce' in question && question.nonce)).toEqual([
      expect.any(String),
      expect.not.stringMatching(`^${asked[0] && 'nonce' in asked[0] ? asked[0].nonce : ''}$`),
    ])
  })

  const liars: readonly (readonly [string, Act])[] = [
    [
      'no proof',
      ({ id }) => ({ kind: 'granted', id, granted: grantedOf(agentOf(agentIds.ada)), proof: '' }),
    ],
    [
      'the proof of another word',
      (question) =>
        question.kind === 'request'
          ? {
              kind: 'granted',
              id: question.id,
              granted: grantedOf(agentOf(agentIds.ada)),
              proof: proofFor('something else altogether', question, agentIds.ada),
            }
          : undefined,
    ],
    [
      'what it was asked as its proof',
      (question) =>
        question.kind === 'request'
          ? {
              kind: 'granted',
              id: question.id,
              granted: grantedOf(agentOf(agentIds.ada)),
              proof: question.ask,
            }
          : undefined,
    ],
    ['another agent', withClipboard(codeWord, agentIds.bob)],
    ['another port', withClipboard(codeWord, agentIds.ada, { apiPort: '25199' })],
    [
      'another port in what the page reads',
      withClipboard(codeWord, agentIds.ada, {}, agentOf(agentIds.ada, { apiPort: '25199' })),
    ],
    [
      'an answer to something else',
      ({ id }) => ({ kind: 'valid', id, granted: [grantedOf(agentOf(agentIds.ada))] }),
    ],
  ]
  test.each(liars)('is not granted by an agent that brings %s', async (_, act) => {
    join(act)
    expect(await request()).toBeUndefined()
  })

  test('agent that goes away is not waited for', async () => {
    const session = directory.register(registrationOf(), '1000')
    const broken = new AbortController()
    void directory.of(session, '1000').mailbox.take(broken.signal)
    const answer = request()
    broken.abort()
    await clock.pass(2000)
    expect(await answer).toBeUndefined()
    expect(clock.now()).toBe(2000)
  })
})

describe('answer', () => {
  test('counts once, and only from the agent that was asked', async () => {
    const { asked } = join(silent)
    const other = directory.register(registrationOf(bob), '1001')
    const answer = request()
    await settled()
    const [question] = asked
    const forged = [{ kind: 'no', id: question?.id ?? '' }] as const
    expect(inquiries.take(directory.of(other, '1001'), forged)).toBe(0)
    const [ada] = directory.members()
    if (!ada) throw new Error('There is no member')
    expect(inquiries.take(ada, forged)).toBe(1)
    expect(inquiries.take(ada, forged)).toBe(0)
    await clock.pass(3000)
    expect(await answer).toBeUndefined()
  })
})

describe('validate', () => {
  const validating =
    (granted: readonly ReturnType<typeof grantedOf>[]): Act =>
    ({ id }) => ({ kind: 'valid', id, granted: [...granted] })

  test('asks each agent for its own alone, and keeps the order of the page', async () => {
    const ofAda = [agentOf(agentIds.ada), agentOf(agentIds.ada)]
    const ofBob = agentOf(agentIds.bob)
    const ada = join(validating(ofAda.toReversed().map(grantedOf)))
    const other = join(validating([grantedOf(ofBob)]), bob, '1001')
    const held = [...ofAda.slice(0, 1), ofBob, ...ofAda.slice(1)].map(consentOf)
    const fresh = await desk.validate({ origin }, held)
    expect(fresh.map(({ agent }) => agent.consentId)).toEqual([
      ofAda[0]?.consentId,
      ofBob.consentId,
      ofAda[1]?.consentId,
    ])
    expect(ada.asked).toMatchObject([{ kind: 'validate', origin, consents: [held[0], held[2]] }])
    expect(other.asked).toMatchObject([{ consents: [held[1]] }])
  })

  test.each(['', '%%%', 'AAAA', consentOf(agentOf(agentIds.ada)).slice(0, -8)])(
    'passes over what is no consent: %j',
    async (text) => {
      const { asked } = join(validating([]))
      expect(await desk.validate({ origin }, [text])).toEqual([])
      expect(asked).toEqual([])
    },
  )

  test('takes nothing that the page did not bring', async () => {
    const asked = agentOf(agentIds.ada)
    join(validating([grantedOf(agentOf(agentIds.ada))]))
    expect(await desk.validate({ origin }, [consentOf(asked)])).toEqual([])
  })

  test('takes nothing that an agent says for another', async () => {
    const ofBob = agentOf(agentIds.bob)
    join(validating([grantedOf(ofBob)]))
    join(no, bob, '1001')
    expect(
      await desk.validate({ origin }, [consentOf(agentOf(agentIds.ada)), consentOf(ofBob)]),
    ).toEqual([])
  })

  test('waits for a connector that finds a new registry', async () => {
    const held = agentOf(agentIds.ada)
    const answer = desk.validate({ origin }, [consentOf(held)])
    await clock.pass(1500)
    join(validating([grantedOf(held)]))
    expect((await answer)[0]?.agent.consentId).toBe(held.consentId)
  })
})

describe('holders', () => {
  test('are those who say so of themselves, by the name that the system knows', async () => {
    const holding =
      (agentId: string): Act =>
      ({ id }) => ({ kind: 'holds', id, agent: agentOf(agentId) })
    join(holding(agentIds.ada), { username: 'ada' })
    join(holding(agentIds.ada), bob, '1001')
    expect(await desk.holders({ origin })).toMatchObject([
      { agentId: agentIds.ada, username: 'ada' },
    ])
  })
})
