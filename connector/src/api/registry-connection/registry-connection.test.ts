/** The connection to the registry, step by step: with a scripted port and a manual clock. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import {
  createManualClock,
  flushPromises,
  type ManualClock,
} from '../../../test/registry/manual-clock.ts'
import { createRegistration } from '../../../test/registry/registrations.ts'
import {
  type AgentRequest,
  type AgentResponse,
  Registration,
} from '../../system/ipc/registry-messages.ts'
import { type ProbeResult, type RegistryClient, RegistryRefusal } from './registry-client.ts'
import {
  type ConnectionOptions,
  connectToRegistry,
  type RegistryConnection,
} from './registry-connection.ts'
import type { RegistryProcess } from './spawn-registry.ts'

const absent: ProbeResult = { kind: 'absent' }
const known: ProbeResult = { kind: 'known', scope: 'user' }
const foreign: ProbeResult = { kind: 'foreign' }
const other: ProbeResult = { kind: 'other-program' }

let clock: ManualClock
let found: ProbeResult
let probes: number
let started: number
let spawnFailure: Error | undefined
let service: boolean
let registrations: number
let bodies: Registration[]
let responses: AgentResponse[]
/** How the registry answers a poll. */
let poll: (session: string) => Promise<readonly AgentRequest[]>
let registering: () => Promise<string>
let logged: string[]
/** The lines of the level error. */
let errors: string[]
let children: { alive: boolean }[]
let link: RegistryConnection | undefined

beforeEach(() => {
  clock = createManualClock()
  found = absent
  probes = 0
  started = 0
  spawnFailure = undefined
  service = false
  registrations = 0
  bodies = []
  responses = []
  poll = () => new Promise(() => undefined)
  registering = async () => `session ${registrations}`
  logged = []
  errors = []
  children = []
})
afterEach(() => {
  // Its polls may wait for ever: nothing is left to end.
  void link?.stop()
  link = undefined
})

const client: RegistryClient = {
  async probe() {
    probes += 1
    return found
  },
  async post(operation, body) {
    if (operation.path === '/agent/register') {
      registrations += 1
      bodies.push(body as Registration)
      return { session: await registering() } as never
    }
    if (operation.path === '/agent/poll') {
      return { requests: await poll((body as { session: string }).session) } as never
    }
    responses.push(...(body as { responses: AgentResponse[] }).responses)
    return { accepted: 1 } as never
  },
  close: () => undefined,
}

/** A registry that answers as soon as it is started. */
function spawn(): RegistryProcess {
  if (spawnFailure) throw spawnFailure
  started += 1
  found = known
  const child = { alive: true }
  children.push(child)
  return {
    pid: 4000 + started,
    listening: Promise.resolve(true),
    isAlive: () => child.alive,
    isPortTaken: () => false,
    async stop() {
      child.alive = false
      // The port is free then.
      if (found === other) found = absent
    },
  }
}

/** A registry that nothing answers for. */
function spawnSilent(): RegistryProcess {
  const process = spawn()
  found = absent
  return process
}

async function begin(changes: Partial<ConnectionOptions> = {}): Promise<RegistryConnection> {
  const note = (event: string, fields: object = {}) =>
    void logged.push(`${event} ${JSON.stringify(fields)}`)
  const noteError = (event: string, fields: object = {}) => {
    errors.push(`${event} ${JSON.stringify(fields)}`)
    note(event, fields)
  }
  link = connectToRegistry({
    client,
    registration: () => createRegistration(),
    handleRequest: async ({ id }) => ({ kind: 'denied', id }),
    isService: () => service,
    spawn,
    explain: async (kind) => ({ what: kind, todo: 'what to do' }),
    log: { info: note, warn: note, error: noteError },
    clock,
    random: () => 0.5,
    ...changes,
  })
  await clock.pass(0)
  return link
}

/** The registry goes away, in the middle of a poll. */
function breakOff(next: ProbeResult): void {
  found = next
  lose?.(new Error('the connection broke off'))
}
let lose: ((error: Error) => void) | undefined
const waiting = () =>
  new Promise<never>((_, reject) => {
    lose = reject
  })

describe('connection where no registry listens', () => {
  test('starts a registry at once, and finds it', async () => {
    const running = await begin()
    expect([running.state(), running.pid(), started]).toEqual([
      { kind: 'linked', scope: 'user' },
      4001,
      1,
    ])
  })

  test('starts none when the service is installed', async () => {
    service = true
    const running = await begin()
    await clock.pass(60_000)
    expect([running.state(), running.pid(), started]).toEqual([
      { kind: 'absent', reason: 'absent: what to do' },
      0,
      0,
    ])
    expect(logged).toHaveLength(1)
    found = known
    await clock.pass(1000)
    expect(running.state().kind).toBe('linked')
  })

  test('starts none when others do, and finds theirs', async () => {
    const running = await begin({ spawn: undefined })
    await clock.pass(60_000)
    expect([running.state(), running.pid(), started]).toEqual([
      { kind: 'absent', reason: expect.stringContaining('cardwire registry') },
      0,
      0,
    ])
    expect(logged).toHaveLength(1)
    found = known
    await clock.pass(1000)
    expect(running.state().kind).toBe('linked')
  })

  test('logs an error with the reason when none can be started, and tries again after five seconds', async () => {
    proves('registry-spawn-failure')
    spawnFailure = new Error('ENOENT')
    const running = await begin()
    expect(errors).toEqual(['registry not started {"reason":"ENOENT"}'])
    expect([running.state(), running.pid()]).toEqual([
      { kind: 'absent', reason: 'it cannot be started: ENOENT' },
      0,
    ])
    spawnFailure = undefined
    await clock.pass(4999)
    expect(started).toBe(0)
    await clock.pass(1001)
    expect(running.state().kind).toBe('linked')
  })
})

describe('connection whose registry ends', () => {
  beforeEach(() => {
    found = known
    poll = waiting
  })

  test('waits a random time before it starts another', async () => {
    const running = await begin()
    breakOff(absent)
    await clock.pass(100)
    const before = probes
    await clock.pass(999)
    expect([started, probes]).toEqual([0, before])
    await clock.pass(1)
    expect([started, running.state().kind]).toEqual([1, 'linked'])
  })

  test('starts none when another connector was faster', async () => {
    const running = await begin()
    breakOff(absent)
    await clock.pass(600)
    found = known
    await clock.pass(600)
    expect([started, registrations, running.state().kind]).toEqual([0, 2, 'linked'])
  })

  test('registers again at once when the registry does not know the agent any more', async () => {
    await begin()
    poll = waiting
    lose?.(new RegistryRefusal('agent-unknown', 'register again'))
    await flushPromises()
    await flushPromises()
    expect([registrations, clock.now()]).toEqual([2, 0])
  })

  test('does not retry in a tight loop when every poll fails', async () => {
    poll = async () => {
      throw new Error('the connection broke off')
    }
    await begin()
    await clock.pass(1000)
    expect(registrations).toBeLessThanOrEqual(12)
  })
})

describe('connection to a registry that was taken over', () => {
  let polls: number
  beforeEach(() => {
    found = known
    polls = 0
  })
  /** Without a pause the others would follow in no time, and the test would not end. */
  const maxPolls = 2000
  const run = async (seconds: number) => {
    await begin()
    await clock.pass(seconds * 1000)
  }

  test('polls less and less often when every poll is answered with nothing at once', async () => {
    proves('registry-floods')
    poll = async () => {
      polls += 1
      return polls < maxPolls ? [] : waiting()
    }
    await run(60)
    // Seven in the first two seconds, then one every two seconds.
    expect(polls).toBeGreaterThan(30)
    expect(polls).toBeLessThan(40)
  })

  test('registers less and less often when the registry never knows the agent', async () => {
    proves('registry-floods')
    poll = async () => {
      polls += 1
      if (polls < maxPolls) throw new RegistryRefusal('agent-unknown', 'register again')
      return waiting()
    }
    await run(60)
    expect(registrations).toBeGreaterThan(30)
    expect(registrations).toBeLessThan(40)
  })

  test('fetches requests a hundred times a second at most, and handles a thousand at the same time', async () => {
    proves('registry-floods')
    let handled = 0
    poll = async () => {
      polls += 1
      if (polls >= maxPolls) return waiting()
      const request = { kind: 'list', origin: 'https://shop.example' } as const
      return Array.from({ length: 50 }, () => ({ ...request, id: crypto.randomUUID() }))
    }
    await begin({
      handleRequest: () => {
        handled += 1
        return new Promise(() => undefined)
      },
    })
    await clock.pass(1000)
    expect(polls).toBeGreaterThan(100)
    expect(polls).toBeLessThan(125)
    expect(handled).toBe(1000)
    expect(logged.join()).toContain('too many requests of the registry')
    // Those that were never handled are not waited for any more.
    await clock.pass(10_000)
    expect(handled).toBe(2000)
  })
})

describe('connection where another program has the port', () => {
  test.each([
    [foreign, 'foreign'],
    [other, 'taken'],
  ])('logs %o once, and probes it every five seconds', async (result, kind) => {
    found = result
    const running = await begin()
    await clock.pass(500)
    expect(running.state()).toEqual({ kind, reason: `${result.kind}: what to do` })
    const before = probes
    await clock.pass(50_000)
    expect([probes - before, started, logged.length]).toEqual([10, 0, 1])
    found = known
    await clock.pass(5000)
    expect(running.state().kind).toBe('linked')
  })

  test('explains a port that is taken on the address that it does not probe', async () => {
    const running = await begin({
      spawn: () => ({
        ...spawnSilent(),
        listening: Promise.resolve(false),
        isPortTaken: () => true,
      }),
    })
    expect(running.state()).toEqual({ kind: 'taken', reason: 'other-program: what to do' })
    const before = started
    await clock.pass(50_000)
    expect(started - before).toBeLessThanOrEqual(10)
  })

  test('probes twice when the certificate may just have been renewed', async () => {
    found = foreign
    const running = await begin()
    found = known
    await clock.pass(500)
    expect([running.state().kind, logged.length]).toEqual(['linked', 1])
  })

  test('replaces a registry of its own that hangs', async () => {
    poll = waiting
    const running = await begin()
    breakOff(other)
    await clock.pass(100)
    expect(children).toEqual([{ alive: false }])
    await clock.pass(1000)
    expect([started, running.pid(), running.state().kind]).toEqual([2, 4002, 'linked'])
  })

  test('ends a registry of its own that keeps the port from the service', async () => {
    const requests = Promise.withResolvers<readonly AgentRequest[]>()
    poll = () => requests.promise
    const running = await begin()
    service = true
    found = { kind: 'known', scope: 'service' }
    poll = waiting
    requests.resolve([])
    await clock.pass(1000)
    expect(children).toEqual([{ alive: false }])
    expect(running.state()).toEqual({ kind: 'linked', scope: 'service' })
  })
})

test('refused registration is logged with its reason, and tried again after five seconds', async () => {
  found = known
  registering = async () => {
    throw new RegistryRefusal('caller-refused', 'This agent belongs to another user')
  }
  const running = await begin()
  expect(running.state()).toEqual({
    kind: 'refused',
    reason: 'This agent belongs to another user',
  })
  registering = async () => 'session'
  await clock.pass(5000)
  expect(running.state().kind).toBe('linked')
})

test('request whose handler fails is denied, and others are handled all the same', async () => {
  found = known
  const ids = [crypto.randomUUID(), crypto.randomUUID()]
  const requests = ids.map((id) => ({ kind: 'list', id, origin: 'https://shop.example' }) as const)
  let polls = 0
  poll = async () => {
    polls += 1
    return polls === 1 ? requests : waiting()
  }
  await begin({
    handleRequest: async ({ id }) => {
      if (id === ids[0]) throw new Error('the disk is full')
      return { kind: 'valid', id, granted: [] }
    },
  })
  await flushPromises()
  expect(responses).toEqual([
    { kind: 'denied', id: ids[0] },
    { kind: 'valid', id: ids[1], granted: [] },
  ])
})

test('changed registration is sent again', async () => {
  found = known
  const running = await begin()
  running.refresh()
  await flushPromises()
  expect(registrations).toBe(2)
})

test('changed registration that failed is sent again after the poll', async () => {
  found = known
  const polls: (() => void)[] = []
  const sessions: string[] = []
  poll = (session) => {
    sessions.push(session)
    return new Promise((resolve) => polls.push(() => resolve([])))
  }
  const running = await begin()
  registering = async () => {
    throw new Error('the connection broke off')
  }
  running.refresh()
  await flushPromises()
  registering = async () => 'session of later'
  expect([registrations, sessions]).toEqual([2, ['session 1']])
  polls.shift()?.()
  await flushPromises()
  expect([registrations, sessions]).toEqual([3, ['session 1', 'session of later']])
  polls.shift()?.()
  await flushPromises()
  expect(registrations).toBe(3)
})

test('registration that changes while it is sent is sent again', async () => {
  found = known
  const first = Promise.withResolvers<string>()
  registering = () => first.promise
  poll = waiting
  const running = await begin()
  running.refresh()
  first.resolve('session')
  await flushPromises()
  expect([registrations, running.state().kind]).toEqual([2, 'linked'])
})

test('allowlist that is too long for the registry is shortened, and the log says so', async () => {
  found = known
  const allowlist = [
    'https://shop.example',
    `https://${'a'.repeat(600)}.example`,
    'https://b.example',
  ]
  const running = await begin({ registration: () => createRegistration({ allowlist }) })
  running.refresh()
  await flushPromises()
  expect([registrations, bodies.map((body) => body.allowlist)]).toEqual([
    2,
    Array.from({ length: 2 }, () => ['https://shop.example', 'https://b.example']),
  ])
  expect(bodies.every((body) => Registration.safeParse(body).success)).toBe(true)
  expect(logged.filter((line) => line.includes('too long'))).toEqual([
    'allowlist too long for the registry {"dropped":1}',
  ])
})

test('stop ends the registry that the connector runs', async () => {
  poll = waiting
  const running = await begin()
  const stopped = running.stop()
  breakOff(absent)
  await stopped
  expect(children).toEqual([{ alive: false }])
  expect(started).toBe(1)
})
