/** Registered agents: their sessions, users and lifetime, with a manual clock. */
import { beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  createManualClock,
  flushPromises,
  type ManualClock,
} from '../../test/registry/manual-clock.ts'
import { agentIds, createRegistration } from '../../test/registry/registrations.ts'
import { type AgentDirectory, createAgentDirectory } from './agent-directory.ts'

const ada = '1000'
const bob = '1001'
const never = new AbortController().signal
const request = {
  kind: 'list',
  id: crypto.randomUUID(),
  origin: 'https://shop.example',
} as const

let clock: ManualClock
let agents: AgentDirectory

beforeEach(() => {
  clock = createManualClock()
  agents = createAgentDirectory(clock, 200)
})

const poll = (session: string, gone: AbortSignal = never) =>
  agents.authenticate(session, ada).queue.poll(gone)

describe('registration', () => {
  test('answers with a session of 256 random bits', () => {
    proves('poll-session-guessed')
    const session = agents.register(createRegistration(), ada)
    expect(Buffer.from(session, 'base64url')).toHaveLength(32)
    expect(agents.authenticate(session, ada)).toMatchObject({ agentId: agentIds.ada, user: ada })
  })

  test('session that was never issued is unknown', () => {
    agents.register(createRegistration(), ada)
    const guess = Buffer.alloc(32).toString('base64url')
    expect(() => agents.authenticate(guess, ada)).toThrow(
      expect.objectContaining({ name: 'agent-unknown' }),
    )
  })

  test('session of another user is refused', () => {
    proves('poll-session-guessed')
    const session = agents.register(createRegistration(), ada)
    expect(() => agents.authenticate(session, bob)).toThrow(
      expect.objectContaining({ name: 'caller-refused' }),
    )
  })

  test.each([
    [ada, undefined],
    [undefined, ada],
  ])('agent of user %s that is registered cannot be registered by user %s', (owner, taker) => {
    proves('other-account-agent-id')
    agents.register(createRegistration(), owner)
    expect(() => agents.register(createRegistration({ port: 25_101 }), taker)).toThrow(
      expect.objectContaining({ name: 'caller-refused' }),
    )
    expect(agents.forUser()).toHaveLength(1)
  })

  test('agent id taken by another user neither blocks its owner nor receives its requests', async () => {
    proves('other-account-agent-id')
    const squatter = agents.register(createRegistration(), bob)
    const session = agents.register(createRegistration(), ada)
    expect([
      agents.authenticate(squatter, bob).user,
      agents.authenticate(session, ada).user,
    ]).toEqual([bob, ada])
    expect(await agents.waitFor(agentIds.ada, ada)).toMatchObject([{ user: ada }])
    expect(agents.forUser(ada)).toMatchObject([{ user: ada }])
  })

  test('again by the same process replaces the session and keeps its pending requests', async () => {
    const before = agents.register(createRegistration(), ada)
    const waiting = poll(before)
    const after = agents.register(createRegistration({ allowlist: [] }), ada)
    expect(await waiting).toEqual([])
    expect(() => agents.authenticate(before, ada)).toThrow(
      expect.objectContaining({ name: 'agent-unknown' }),
    )
    agents.forUser()[0]?.queue.enqueue(request)
    expect(await poll(after)).toEqual([request])
    expect(agents.forUser()).toHaveLength(1)
  })

  test('two connectors of one user are both registered', () => {
    const first = agents.register(createRegistration(), ada)
    const second = agents.register(createRegistration({ pid: 101, port: 25_101 }), ada)
    expect([agents.authenticate(first, ada).port, agents.authenticate(second, ada).port]).toEqual([
      25_100, 25_101,
    ])
  })

  test('one user leaves room for others, and the directory is bounded', () => {
    proves('agents-silent')
    const users = [ada, bob, '1002']
    const accepted = users.map((user) => {
      let count = 0
      for (let pid = 1; pid <= 201; pid += 1) {
        try {
          agents.register(createRegistration({ agentId: crypto.randomUUID(), pid }), user)
          count += 1
        } catch (error) {
          expect(error).toMatchObject({ name: 'too-many-requests' })
        }
      }
      return count
    })
    expect(accepted).toEqual([100, 100, 0])
  })
})

test('users whom the system does not name have the whole directory, as it is set', () => {
  proves('users-unnamed')
  const directory = createAgentDirectory(clock, 150)
  const register = (pid: number) =>
    directory.register(createRegistration({ agentId: crypto.randomUUID(), pid }), undefined)
  for (let pid = 1; pid <= 150; pid += 1) register(pid)
  expect(() => register(151)).toThrow(expect.objectContaining({ name: 'too-many-requests' }))
})

describe('poll', () => {
  test('is answered at once when there is a request', async () => {
    const session = agents.register(createRegistration(), ada)
    const waiting = poll(session)
    agents.authenticate(session, ada).queue.enqueue(request)
    expect(await waiting).toEqual([request])
  })

  test('returns all requests that came between two polls', async () => {
    const session = agents.register(createRegistration(), ada)
    const { queue } = agents.authenticate(session, ada)
    const waiting = poll(session)
    const others = [1, 2, 3].map(() => ({ ...request, id: crypto.randomUUID() }))
    for (const each of [request, ...others]) queue.enqueue(each)
    expect(await waiting).toEqual([request])
    expect(await poll(session)).toEqual(others)
  })

  test('is answered with nothing after 8 s', async () => {
    const session = agents.register(createRegistration(), ada)
    const received: unknown[] = []
    void poll(session).then((requests) => received.push(requests))
    await clock.pass(7999)
    expect(received).toEqual([])
    await clock.pass(1)
    await flushPromises()
    expect(received).toEqual([[]])
  })

  test('second poll ends the first, and gets the request', async () => {
    const session = agents.register(createRegistration(), ada)
    const first = poll(session)
    const second = poll(session)
    expect(await first).toEqual([])
    agents.authenticate(session, ada).queue.enqueue(request)
    expect(await second).toEqual([request])
  })
})

describe('agent', () => {
  const goneAfter = async (ms: number) => {
    await clock.pass(ms)
    return agents.forUser().length === 0
  }

  test('that never polls is dropped after two polls it could have made', async () => {
    agents.register(createRegistration(), ada)
    expect(await goneAfter(19_999)).toBe(false)
    expect(await goneAfter(1)).toBe(true)
  })

  test('that polls stays as long as it does', async () => {
    const session = agents.register(createRegistration(), ada)
    for (let round = 0; round < 10; round += 1) {
      void poll(session)
      expect(await goneAfter(8500)).toBe(false)
    }
    expect(await goneAfter(20_000)).toBe(true)
  })

  test('whose poll broke off is dropped soon, unless it comes back', async () => {
    const session = agents.register(createRegistration(), ada)
    const broken = new AbortController()
    const waiting = poll(session, broken.signal)
    broken.abort()
    expect(await waiting).toEqual([])
    expect(await goneAfter(1999)).toBe(false)
    void poll(session)
    expect(await goneAfter(8000)).toBe(false)
    const again = new AbortController()
    void poll(session, again.signal)
    again.abort()
    expect(await goneAfter(2000)).toBe(true)
  })

  test('that was dropped can be registered by another user, and its end is reported', async () => {
    const gone: string[] = []
    agents.onGone(({ agentId }) => gone.push(agentId))
    const session = agents.register(createRegistration(), ada)
    await clock.pass(20_000)
    expect(gone).toEqual([agentIds.ada])
    expect(() => agents.authenticate(session, ada)).toThrow(
      expect.objectContaining({ name: 'agent-unknown' }),
    )
    agents.register(createRegistration(), bob)
    expect(agents.forUser()).toMatchObject([{ user: bob }])
  })
})

describe('agents for a user', () => {
  const meant = (asker?: string) => agents.forUser(asker).map(({ agentId }) => agentId)
  beforeEach(() => {
    agents.register(createRegistration(), ada)
    agents.register(createRegistration({ agentId: agentIds.bob }), bob)
  })

  test('are the connectors of that user', async () => {
    proves('other-account-registry', 'other-account-waits')
    expect([meant(ada), meant(bob), meant('1002')]).toEqual([[agentIds.ada], [agentIds.bob], []])
    expect(await agents.waitFor(agentIds.ada, ada)).toHaveLength(1)
    const arrival = agents.waitFor(agentIds.ada, bob)
    await clock.pass(3000)
    expect(await arrival).toEqual([])
  })

  test('are all where the system does not name users', () => {
    agents.register(createRegistration({ agentId: crypto.randomUUID() }), undefined)
    expect(meant()).toHaveLength(3)
    expect(meant(ada)).toHaveLength(2)
  })
})

describe('waiting for an agent', () => {
  test('ends when it registers just after the start', async () => {
    const arrival = agents.waitFor(agentIds.ada)
    await clock.pass(1000)
    agents.register(createRegistration({ agentId: agentIds.bob }), bob)
    agents.register(createRegistration(), ada)
    expect(await arrival).toMatchObject([{ agentId: agentIds.ada }])
  })

  test('takes three seconds at most', async () => {
    const arrival = agents.waitFor(agentIds.ada)
    await clock.pass(3000)
    expect(await arrival).toEqual([])
  })

  test('does not happen later', async () => {
    await clock.pass(3000)
    expect(await agents.waitFor(agentIds.ada)).toEqual([])
  })
})
