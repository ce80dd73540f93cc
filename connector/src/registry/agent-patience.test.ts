/** How long agents are waited for that stay silent, in every way in which they can, with a manual clock. */
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createManualClock, type ManualClock } from '../../test/registry/manual-clock.ts'
import { agentIds, createRegistration } from '../../test/registry/registrations.ts'
import type { Registration } from '../system/ipc/registry-messages.ts'
import {
  type AgentDirectory,
  createAgentDirectory,
  type RegisteredAgent,
} from './agent-directory.ts'
import { createPendingRequests, type PendingRequests } from './pending-requests.ts'

const body = { kind: 'list', origin: 'https://shop.example' } as const
const never = new AbortController().signal

let clock: ManualClock
let agents: AgentDirectory
let pendingRequests: PendingRequests
beforeEach(() => {
  clock = createManualClock()
  agents = createAgentDirectory(clock, 200)
  pendingRequests = createPendingRequests(agents, clock, { warn: () => undefined })
})

const register = (changes: Partial<Registration> = {}): RegisteredAgent =>
  agents.authenticate(agents.register(createRegistration(changes), undefined), undefined)

/** Sends a request and fetches it; resolves with its id, and the milliseconds after which the registry waits no more. */
async function ask(agent: RegisteredAgent) {
  const start = clock.now()
  let waitedMs: number | undefined
  void pendingRequests.send([[agent, body]]).then(() => {
    waitedMs = clock.now() - start
  })
  const [request] = await agent.queue.poll(never)
  const wait = async () => {
    for (const step of [0, 300, 2700]) {
      await clock.pass(step)
      if (waitedMs !== undefined) return waitedMs
    }
    return undefined
  }
  return { id: request?.id ?? '', wait }
}
const waitForSilent = async (agent: RegisteredAgent) => (await ask(agent)).wait()
const respond = (agent: RegisteredAgent, ...ids: readonly string[]) =>
  pendingRequests.receive(
    agent,
    ids.map((id) => ({ kind: 'denied', id })),
  )
async function respondInTime(agent: RegisteredAgent) {
  const { id, wait } = await ask(agent)
  expect(respond(agent, id)).toBe(1)
  expect(await wait()).toBe(0)
}

test('an agent that let a request time out is waited for again when it responds to one, and to nothing else', async () => {
  proves('agents-silent')
  const agent = register()
  const first = await ask(agent)
  expect(await first.wait()).toBe(3000)
  respond(agent)
  respond(agent, crypto.randomUUID(), first.id)
  expect(await waitForSilent(agent)).toBe(300)
  await respondInTime(agent)
  expect(await waitForSilent(agent)).toBe(3000)
})

test('a response counts that comes after the short wait, within the long one', async () => {
  proves('agents-silent')
  const agent = register()
  expect(await waitForSilent(agent)).toBe(3000)
  const late = await ask(agent)
  expect(await late.wait()).toBe(300)
  await clock.pass(2700)
  expect(respond(agent, late.id)).toBe(0)
  const inTime = await ask(agent)
  expect(await inTime.wait()).toBe(300)
  await clock.pass(2699)
  expect(respond(agent, inTime.id)).toBe(0)
  expect(await waitForSilent(agent)).toBe(3000)
})

test('an agent that responds only so that it is waited for again owes more responses each time', async () => {
  proves('agents-silent')
  const agent = register()
  for (const owed of [1, 2, 4, 8]) {
    expect(await waitForSilent(agent)).toBe(3000)
    for (let count = 0; count < owed; count += 1) {
      expect(await waitForSilent(agent)).toBe(300)
      await respondInTime(agent)
    }
  }
  await clock.pass(600_000)
  const patient = register({ pid: 101 })
  expect(await waitForSilent(patient)).toBe(3000)
  await respondInTime(patient)
  await clock.pass(600_000)
  expect(await waitForSilent(patient)).toBe(3000)
  await respondInTime(patient)
  expect(await waitForSilent(patient)).toBe(3000)
})

test('one response that is sent many times at once counts once', async () => {
  proves('agents-silent')
  const agent = register()
  expect(await waitForSilent(agent)).toBe(3000)
  await respondInTime(agent)
  expect(await waitForSilent(agent)).toBe(3000)
  const { id } = await ask(agent)
  expect(respond(agent, id, id, id)).toBe(1)
  expect(await waitForSilent(agent)).toBe(300)
})

test('an agent that registers again as the same process, also after it was gone, is no other', async () => {
  proves('agents-silent')
  expect(await waitForSilent(register())).toBe(3000)
  expect(await waitForSilent(register())).toBe(300)
  await clock.pass(20_000)
  expect(agents.forUser()).toEqual([])
  expect(await waitForSilent(register())).toBe(300)
})

test('an agent that disconnects instead of a response has not responded', async () => {
  proves('agents-silent')
  const agent = register()
  const { wait } = await ask(agent)
  const broken = new AbortController()
  void agent.queue.poll(broken.signal)
  broken.abort()
  await clock.pass(2000)
  expect(await wait()).toBe(2000)
  expect(await waitForSilent(register())).toBe(300)
})

test.each([
  ['processes of one agent id', (pid: number) => ({ pid })],
  ['agent ids', (pid: number) => ({ pid, agentId: crypto.randomUUID() })],
])(
  'only five new %s are waited for in ten minutes, and one that has responded all the same',
  async (_, createChanges) => {
    proves('agents-silent')
    const honest = register({ agentId: agentIds.bob, pid: 1 })
    await respondInTime(honest)
    const waits = []
    for (let pid = 2; pid <= 8; pid += 1)
      waits.push(await waitForSilent(register(createChanges(pid))))
    expect(waits).toEqual([3000, 3000, 3000, 3000, 3000, 300, 300])
    // Its first response makes it one that is waited for.
    const late = register({ agentId: agentIds.bob, pid: 9 })
    await respondInTime(late)
    expect([await waitForSilent(late), await waitForSilent(honest)]).toEqual([3000, 3000])
    await clock.pass(600_000)
    expect(await waitForSilent(register(createChanges(10)))).toBe(3000)
  },
)

test('agents of one user do not shorten the wait for those of another', async () => {
  proves('agents-silent')
  const registerOf = (user: string, pid: number) =>
    agents.authenticate(agents.register(createRegistration({ pid }), user), user)
  for (let pid = 1; pid <= 6; pid += 1) await waitForSilent(registerOf('1002', pid))
  expect(await waitForSilent(registerOf('1002', 7))).toBe(300)
  expect(await waitForSilent(registerOf('1000', 7))).toBe(3000)
})
