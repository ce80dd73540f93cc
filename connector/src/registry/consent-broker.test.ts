/** The consent broker with agents that are honest, unresponsive, wrong, or lie. */
import { randomBytes } from 'node:crypto'
import type { Agent } from '@cardwire/protocol/consent'
import { beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  createManualClock,
  flushPromises,
  type ManualClock,
} from '../../test/registry/manual-clock.ts'
import { agentIds, createRegistration } from '../../test/registry/registrations.ts'
import type { AgentRequest, AgentResponse } from '../system/ipc/registry-messages.ts'
import { createChallenge, createProof } from '../user/consent/challenge.ts'
import type { ConsentService } from '../user/consent/consent-service.ts'
import { type AgentDirectory, createAgentDirectory } from './agent-directory.ts'
import { createConsentBroker } from './consent-broker.ts'
import { createPendingRequests, type PendingRequests } from './pending-requests.ts'

const origin = 'https://shop.example'
const codeWord = 'a code word that is long enough'
const never = new AbortController().signal

let clock: ManualClock
let agents: AgentDirectory
let pendingRequests: PendingRequests
let consentService: ConsentService
let logged: string[]

beforeEach(() => {
  clock = createManualClock()
  agents = createAgentDirectory(clock, 200)
  logged = []
  const log = {
    warn: (event: string, fields: object = {}) =>
      void logged.push(`${event} ${JSON.stringify(fields)}`),
  }
  pendingRequests = createPendingRequests(agents, clock, log)
  consentService = createConsentBroker({ agents, pendingRequests, log })
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

type Act = (agentRequest: AgentRequest) => AgentResponse | undefined

/** An API that answers as the test likes; undefined: never. */
function join(act: Act, changes: Parameters<typeof createRegistration>[0] = {}, user = '1000') {
  const session = agents.register(createRegistration(changes), user)
  const received: AgentRequest[] = []
  const loop = async () => {
    for (;;) {
      const requests = await agents.authenticate(session, user).queue.poll(never)
      received.push(...requests)
      const answers = requests.flatMap((agentRequest) => act(agentRequest) ?? [])
      if (answers.length > 0) pendingRequests.receive(agents.authenticate(session, user), answers)
    }
  }
  loop().catch(() => undefined)
  return { received }
}

const no: Act = ({ id }) => ({ kind: 'denied', id })
const silent: Act = () => undefined

/** One that has this text on its clipboard. */
const withClipboard =
  (text: string, agentId: string, changes: Partial<Agent> = {}, consented?: Agent): Act =>
  (agentRequest) => {
    if (
      agentRequest.kind !== 'consent' ||
      agentRequest.challenge !== createChallenge(text, agentRequest)
    )
      return no(agentRequest)
    const agent = agentOf(agentId, changes)
    return {
      kind: 'granted',
      id: agentRequest.id,
      granted: { agent, consent: consentOf(consented ?? agent) },
      proof: createProof(text, agentRequest, agentId),
    }
  }

const request = () => consentService.request({ codeWord, origin, days: 365 })
const bob = { agentId: agentIds.bob, pid: 200 }

describe('request', () => {
  test('without any agent is answered at once', async () => {
    expect(await request()).toBeUndefined()
    expect(clock.now()).toBe(0)
  })

  test('finds the agent that has the code word, as soon as all have responded', async () => {
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

  test('waits three seconds for an unresponsive agent, and accepts the proof that came', async () => {
    proves('agents-silent')
    join(withClipboard(codeWord, agentIds.ada))
    join(silent, bob, '1001')
    const answer = request()
    let answered = false
    void answer.then(() => (answered = true))
    await clock.pass(2999)
    expect(answered).toBe(false)
    await clock.pass(1)
    expect((await answer)?.agent.agentId).toBe(agentIds.ada)
  })

  test('does not wait again for an agent that let a request time out', async () => {
    proves('agents-silent')
    join(silent)
    const first = request()
    await clock.pass(3000)
    await first
    const second = request()
    await clock.pass(300)
    expect([await second, clock.now()]).toEqual([undefined, 3300])
  })

  test('with a code word found by two is not granted, and the log does not contain the code word', async () => {
    proves('several-proofs-refused', 'code-word-twice')
    join(withClipboard(codeWord, agentIds.ada))
    join(withClipboard(codeWord, agentIds.bob), bob, '1001')
    expect(await request()).toBeUndefined()
    expect(logged).toEqual([expect.stringContaining('code word found by several')])
    expect(logged.join()).not.toContain(codeWord)
  })

  test('with a code word found by two users with one agent id is not granted', async () => {
    join(withClipboard(codeWord, agentIds.ada))
    join(withClipboard(codeWord, agentIds.ada, { apiPort: '25101' }), { port: 25_101 }, '1001')
    expect(await request()).toBeUndefined()
    expect(logged).toEqual([expect.stringContaining('code word found by several')])
  })

  test('with a code word found by two connectors of one user is granted', async () => {
    join(withClipboard(codeWord, agentIds.ada))
    join(withClipboard(codeWord, agentIds.ada, { apiPort: '25101' }), { pid: 101, port: 25_101 })
    expect((await request())?.agent.agentId).toBe(agentIds.ada)
  })

  test('is sent with a nonce of its own and without the code word', async () => {
    proves('clipboard-read')
    const { received } = join(no)
    await request()
    await request()
    expect(JSON.stringify(received)).not.toContain(codeWord)
    expect(received.map((agentRequest) => 'nonce' in agentRequest && agentRequest.nonce)).toEqual([
      expect.any(String),
      expect.not.stringMatching(
        `^${received[0] && 'nonce' in received[0] ? received[0].nonce : ''}$`,
      ),
    ])
  })

  const liars: readonly (readonly [string, Act])[] = [
    [
      'no proof',
      ({ id }) => ({ kind: 'granted', id, granted: grantedOf(agentOf(agentIds.ada)), proof: '' }),
    ],
    [
      'the proof of another code word',
      (agentRequest) =>
        agentRequest.kind === 'consent'
          ? {
              kind: 'granted',
              id: agentRequest.id,
              granted: grantedOf(agentOf(agentIds.ada)),
              proof: createProof('something else altogether', agentRequest, agentIds.ada),
            }
          : undefined,
    ],
    [
      'what it was asked as its proof',
      (agentRequest) =>
        agentRequest.kind === 'consent'
          ? {
              kind: 'granted',
              id: agentRequest.id,
              granted: grantedOf(agentOf(agentIds.ada)),
              proof: agentRequest.challenge,
            }
          : undefined,
    ],
    ['the proof of another agent', withClipboard(codeWord, agentIds.bob)],
    ['another agent', withClipboard(codeWord, agentIds.ada, { agentId: agentIds.bob })],
    [
      'another agent in what the page reads',
      withClipboard(codeWord, agentIds.ada, {}, agentOf(agentIds.bob)),
    ],
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
    proves('agent-false-proof')
    join(act)
    expect(await request()).toBeUndefined()
  })

  test('does not wait for an agent that disconnects', async () => {
    const session = agents.register(createRegistration(), '1000')
    const broken = new AbortController()
    void agents.authenticate(session, '1000').queue.poll(broken.signal)
    const answer = request()
    broken.abort()
    await clock.pass(2000)
    expect(await answer).toBeUndefined()
    expect(clock.now()).toBe(2000)
  })
})

describe('response', () => {
  test('counts once, and only from the agent that was asked', async () => {
    proves('agent-false-proof')
    const { received } = join(silent)
    const other = agents.register(createRegistration(bob), '1001')
    const answer = request()
    await flushPromises()
    const [agentRequest] = received
    const forged = [{ kind: 'denied', id: agentRequest?.id ?? '' }] as const
    expect(pendingRequests.receive(agents.authenticate(other, '1001'), forged)).toBe(0)
    const [ada] = agents.forUser()
    if (!ada) throw new Error('There is no agent')
    expect(pendingRequests.receive(ada, forged)).toBe(1)
    expect(pendingRequests.receive(ada, forged)).toBe(0)
    await clock.pass(3000)
    expect(await answer).toBeUndefined()
  })
})

describe('validate', () => {
  const validating =
    (granted: readonly ReturnType<typeof grantedOf>[]): Act =>
    ({ id }) => ({ kind: 'valid', id, granted: [...granted] })

  test('sends each agent only its own consents, and keeps the order of the page', async () => {
    const ofAda = [agentOf(agentIds.ada), agentOf(agentIds.ada)]
    const ofBob = agentOf(agentIds.bob)
    const ada = join(validating(ofAda.toReversed().map(grantedOf)))
    const other = join(validating([grantedOf(ofBob)]), bob, '1001')
    const held = [...ofAda.slice(0, 1), ofBob, ...ofAda.slice(1)].map(consentOf)
    const fresh = await consentService.validate({ origin }, held)
    expect(fresh.map(({ agent }) => agent.consentId)).toEqual([
      ofAda[0]?.consentId,
      ofBob.consentId,
      ofAda[1]?.consentId,
    ])
    expect(ada.received).toMatchObject([{ kind: 'validate', origin, consents: [held[0], held[2]] }])
    expect(other.received).toMatchObject([{ consents: [held[1]] }])
  })

  test.each(['', '%%%', 'AAAA', consentOf(agentOf(agentIds.ada)).slice(0, -8)])(
    'ignores a text that is no consent: %j',
    async (text) => {
      const { received } = join(validating([]))
      expect(await consentService.validate({ origin }, [text])).toEqual([])
      expect(received).toEqual([])
    },
  )

  test('ignores a consent that the page did not send', async () => {
    proves('agent-false-proof')
    const agent = agentOf(agentIds.ada)
    join(validating([grantedOf(agentOf(agentIds.ada))]))
    expect(await consentService.validate({ origin }, [consentOf(agent)])).toEqual([])
  })

  test('ignores a consent of another agent', async () => {
    proves('agent-false-proof')
    const ofBob = agentOf(agentIds.bob)
    join(validating([grantedOf(ofBob)]))
    join(no, bob, '1001')
    expect(
      await consentService.validate({ origin }, [
        consentOf(agentOf(agentIds.ada)),
        consentOf(ofBob),
      ]),
    ).toEqual([])
  })

  test('waits for a connector that registers with a new registry', async () => {
    const held = agentOf(agentIds.ada)
    const answer = consentService.validate({ origin }, [consentOf(held)])
    await clock.pass(1500)
    join(validating([grantedOf(held)]))
    expect((await answer)[0]?.agent.consentId).toBe(held.consentId)
  })
})

describe('active agents', () => {
  test('are listed only by themselves, with the user name of the system', async () => {
    proves('user-name-spoofed')
    const holding =
      (agentId: string): Act =>
      ({ id }) => ({ kind: 'active', id, agent: agentOf(agentId) })
    join(holding(agentIds.ada), { username: 'ada' })
    join(holding(agentIds.ada), bob, '1001')
    expect(await consentService.findActiveAgents({ origin, user: '1000' })).toMatchObject([
      { agentId: agentIds.ada, username: 'ada' },
    ])
    expect(await consentService.findActiveAgents({ origin, user: '1001' })).toEqual([])
  })
})
