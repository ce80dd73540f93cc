/** Pending requests: their deadlines and bounds, with a manual clock. */
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createManualClock, type ManualClock } from '../../test/registry/manual-clock.ts'
import { createRegistration } from '../../test/registry/registrations.ts'
import { createAgentDirectory, type RegisteredAgent } from './agent-directory.ts'
import { responseTimeoutMs } from './agent-patience.ts'
import { queueLimits } from './agent-queue.ts'
import { createPendingRequests, type PendingRequests } from './pending-requests.ts'

const body = { kind: 'list', origin: 'https://shop.example' } as const
const never = new AbortController().signal

let clock: ManualClock
let pendingRequests: PendingRequests
let agent: RegisteredAgent
let logged: string[]

beforeEach(() => {
  clock = createManualClock()
  logged = []
  const agents = createAgentDirectory(clock, 200)
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
