/** Pending requests: their deadlines and bounds, with a manual clock. */
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createManualClock, type ManualClock } from '../../test/registry/manual-clock.ts'
import { createRegistration } from '../../test/registry/registrations.ts'
import {
  type AgentDirectory,
  createAgentDirectory,
  type RegisteredAgent,
} from './agent-directory.ts'
import { responseTimeoutMs } from './agent-patience.ts'
import { queueLimits } from './agent-queue.ts'
import { createPendingRequests, type PendingRequests } from './pending-requests.ts'

const body = { kind: 'list', origin: 'https://shop.example' } as const
const never = new AbortController().signal

let clock: ManualClock
let pendingRequests: PendingRequests
let agents: AgentDirectory
let agent: RegisteredAgent
let logged: string[]

beforeEach(() => {
  clock = createManualClock()
  logged = []
  agents = createAgentDirectory(clock, 200)
  pendingRequests = createPendingRequests(agents, clock, {
    warn: (event) => void logged.push(event),
  })
  agent = agents.authenticate(agents.register(createRegistration(), '1000'), '1000')
})

const ask = (count = 1) => pendingRequests.send(Array.from({ length: count }, () => [agent, body]))

test('request that times out before the agent polls is not delivered', async () => {
  proves('late-request-dropped')
  const received = ask()
  await clock.pass(responseTimeoutMs)
  expect(await received).toEqual([])
  void ask()
  const delivered = await agent.queue.poll(never)
  expect(delivered).toHaveLength(1)
  expect(pendingRequests.receive(agent, [{ kind: 'denied', id: delivered[0]?.id ?? '' }])).toBe(1)
})

test('request is delivered with its remaining time, less than the page waits', async () => {
  void ask()
  await clock.pass(1000)
  const [late] = await agent.queue.poll(never)
  expect(late?.expiresInMs).toBeGreaterThan(responseTimeoutMs - 1200)
  expect(late?.expiresInMs).toBeLessThan(responseTimeoutMs - 1000)
  const waiting = agent.queue.poll(never)
  void ask()
  const [early] = await waiting
  expect(early?.expiresInMs).toBeLessThan(responseTimeoutMs)
  expect(early?.expiresInMs).toBeGreaterThan(late?.expiresInMs ?? 0)
})

test('request beyond the bound of the queue is settled at once, and the others are delivered', async () => {
  const over = 5
  const first = ask(queueLimits.queued)
  expect(await ask(over)).toEqual([])
  expect(clock.now()).toBe(0)
  expect(logged).toContain('agent queue full')
  let delivered = 0
  while (delivered < queueLimits.queued) {
    const requests = await agent.queue.poll(never)
    expect(requests).toHaveLength(queueLimits.perPoll)
    delivered += requests.length
    pendingRequests.receive(
      agent,
      requests.map(({ id }) => ({ kind: 'denied', id })),
    )
  }
  expect(await first).toHaveLength(queueLimits.queued)
})

/** Agents of one user, each with so many requests without an answer. */
function flood(user: string, count: number, each: number) {
  const port = 30_000 + Number(user)
  const own = Array.from({ length: count }, (_, pid) =>
    agents.authenticate(agents.register(createRegistration({ pid, port }), user), user),
  )
  void pendingRequests.send(
    own.flatMap((one) => Array.from({ length: each }, () => [one, body] as const)),
  )
  return own
}
async function countDelivered(own: readonly RegisteredAgent[]) {
  let delivered = 0
  for (const { queue } of own) {
    let found: readonly unknown[]
    do {
      const next = queue.poll(never)
      // Answers a poll that found nothing.
      queue.flush()
      found = await next
      delivered += found.length
    } while (found.length > 0)
  }
  return delivered
}

test('requests of a user are delivered while other users have filled the registry', async () => {
  proves('other-account-floods')
  const floods = [flood('2001', 70, 500), flood('2002', 70, 500)]
  const waiting = ask(200)
  const delivered = await agent.queue.poll(never)
  expect(delivered).toHaveLength(200)
  pendingRequests.receive(
    agent,
    delivered.map(({ id }) => ({ kind: 'denied', id })),
  )
  expect(await waiting).toHaveLength(200)
  // The second user has a share of 200 for each agent, after the first one had room for all.
  expect(await Promise.all(floods.map(countDelivered))).toEqual([35_000, 14_000])
})
