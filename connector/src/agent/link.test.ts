/** What an API does about the registry, step by step: a scripted port, and a clock of the test's own. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ManualClock, manualClock, settled } from '../../test/registry/manual-clock.ts'
import { registrationOf } from '../../test/registry/registrations.ts'
import { type Link, type LinkOptions, linkToRegistry } from './link.ts'
import { type Line, Refused, type Sight } from './pinned.ts'
import { type Answer, type Question, Registration } from './protocol.ts'
import type { RegistryChild } from './registry-child.ts'

const absent: Sight = { kind: 'absent' }
const known: Sight = { kind: 'known', whose: 'user' }
const foreign: Sight = { kind: 'foreign' }
const other: Sight = { kind: 'other-program' }

let clock: ManualClock
let sight: Sight
let looks: number
let started: number
let spawnFailure: Error | undefined
let service: boolean
let registrations: number
let bodies: Registration[]
let answers: Answer[]
/** How the registry answers a poll. */
let poll: (session: string) => Promise<readonly Question[]>
let registering: () => Promise<string>
let logged: string[]
let children: { alive: boolean }[]
let link: Link | undefined

beforeEach(() => {
  clock = manualClock()
  sight = absent
  looks = 0
  started = 0
  spawnFailure = undefined
  service = false
  registrations = 0
  bodies = []
  answers = []
  poll = () => new Promise(() => undefined)
  registering = async () => `session ${registrations}`
  logged = []
  children = []
})
afterEach(() => {
  // Its polls may wait for ever: nothing is left to end.
  void link?.stop()
  link = undefined
})

const line: Line = {
  async look() {
    looks += 1
    return sight
  },
  async post(operation, body) {
    if (operation.path === '/agent/register') {
      registrations += 1
      bodies.push(body as Registration)
      return { session: await registering() } as never
    }
    if (operation.path === '/agent/poll') {
      return { questions: await poll((body as { session: string }).session) } as never
    }
    answers.push(...(body as { answers: Answer[] }).answers)
    return { taken: 1 } as never
  },
  close: () => undefined,
}

/** A registry that answers as soon as it is started. */
function start(): RegistryChild {
  if (spawnFailure) throw spawnFailure
  started += 1
  sight = known
  const child = { alive: true }
  children.push(child)
  return {
    pid: 4000 + started,
    listening: Promise.resolve(true),
    isAlive: () => child.alive,
    async stop() {
      child.alive = false
      // The port is free then.
      if (sight === other) sight = absent
    },
  }
}

async function begin(changes: Partial<LinkOptions> = {}): Promise<Link> {
  const note = (event: string, fields: object = {}) =>
    void logged.push(`${event} ${JSON.stringify(fields)}`)
  link = linkToRegistry({
    line,
    registration: () => registrationOf(),
    answer: async ({ id }) => ({ kind: 'no', id }),
    isService: () => service,
    start,
    explain: async (kind) => ({ what: kind, todo: 'what to do' }),
    log: { info: note, warn: note, error: note },
    clock,
    random: () => 0.5,
    ...changes,
  })
  await clock.pass(0)
  return link
}

/** The registry goes away, in the middle of a poll. */
function breakOff(next: Sight): void {
  sight = next
  lose?.(new Error('the connection broke off'))
}
let lose: ((error: Error) => void) | undefined
const waiting = () =>
  new Promise<never>((_, reject) => {
    lose = reject
  })

describe('where nobody listens', () => {
  test('a registry is started at once, and found', async () => {
    const running = await begin()
    expect([running.state(), running.pid(), started]).toEqual([
      { kind: 'linked', whose: 'user' },
      4001,
      1,
    ])
  })

  test('and the service is installed, none is started', async () => {
    service = true
    const running = await begin()
    await clock.pass(60_000)
    expect([running.state(), running.pid(), started]).toEqual([
      { kind: 'absent', reason: 'absent: what to do' },
      0,
      0,
    ])
    expect(logged).toHaveLength(1)
    sight = known
    await clock.pass(1000)
    expect(running.state().kind).toBe('linked')
  })

  test('and others start it, none is started, and theirs is found', async () => {
    const running = await begin({ start: undefined })
    await clock.pass(60_000)
    expect([running.state(), running.pid(), started]).toEqual([
      { kind: 'absent', reason: expect.stringContaining('cardwire registry') },
      0,
      0,
    ])
    expect(logged).toHaveLength(1)
    sight = known
    await clock.pass(1000)
    expect(running.state().kind).toBe('linked')
  })

  test('and none can be started, it is said, and tried again after five seconds', async () => {
    spawnFailure = new Error('ENOENT')
    const running = await begin()
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

describe('when the registry goes', () => {
  beforeEach(() => {
    sight = known
    poll = waiting
  })

  test('a random time passes before its place is taken', async () => {
    const running = await begin()
    breakOff(absent)
    await clock.pass(100)
    const before = looks
    await clock.pass(999)
    expect([started, looks]).toEqual([0, before])
    await clock.pass(1)
    expect([started, running.state().kind]).toEqual([1, 'linked'])
  })

  test('and another connector was faster, none is started', async () => {
    const running = await begin()
    breakOff(absent)
    await clock.pass(600)
    sight = known
    await clock.pass(600)
    expect([started, registrations, running.state().kind]).toEqual([0, 2, 'linked'])
  })

  test('and it does not know us any more, we register again at once', async () => {
    await begin()
    poll = waiting
    lose?.(new Refused('agent-unknown', 'register again'))
    await settled()
    await settled()
    expect([registrations, clock.now()]).toEqual([2, 0])
  })

  test('in two pieces a second, it is not asked in a loop', async () => {
    poll = async () => {
      throw new Error('the connection broke off')
    }
    await begin()
    await clock.pass(1000)
    expect(registrations).toBeLessThanOrEqual(12)
  })
})

describe('where another has the port', () => {
  test.each([
    [foreign, 'foreign'],
    [other, 'taken'],
  ])('%o is told once, and looked at every five seconds', async (seen, kind) => {
    sight = seen
    const running = await begin()
    await clock.pass(500)
    expect(running.state()).toEqual({ kind, reason: `${seen.kind}: what to do` })
    const before = looks
    await clock.pass(50_000)
    expect([looks - before, started, logged.length]).toEqual([10, 0, 1])
    sight = known
    await clock.pass(5000)
    expect(running.state().kind).toBe('linked')
  })

  test('a certificate that was just renewed is looked at twice', async () => {
    sight = foreign
    const running = await begin()
    sight = known
    await clock.pass(500)
    expect([running.state().kind, logged.length]).toEqual(['linked', 1])
  })

  test('and it is a registry of our own that hangs, it is replaced', async () => {
    poll = waiting
    const running = await begin()
    breakOff(other)
    await clock.pass(100)
    expect(children).toEqual([{ alive: false }])
    await clock.pass(1000)
    expect([started, running.pid(), running.state().kind]).toEqual([2, 4002, 'linked'])
  })

  test('and it is ours but in the way of the service, it ends', async () => {
    const questions = Promise.withResolvers<readonly Question[]>()
    poll = () => questions.promise
    const running = await begin()
    service = true
    sight = { kind: 'known', whose: 'service' }
    poll = waiting
    questions.resolve([])
    await clock.pass(1000)
    expect(children).toEqual([{ alive: false }])
    expect(running.state()).toEqual({ kind: 'linked', whose: 'service' })
  })
})

test('refused registration is told with its reason, and tried again after five seconds', async () => {
  sight = known
  registering = async () => {
    throw new Refused('caller-refused', 'This agent belongs to another user')
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

test('question that cannot be answered is answered with no, and the others all the same', async () => {
  sight = known
  const ids = [crypto.randomUUID(), crypto.randomUUID()]
  const questions = ids.map(
    (id) => ({ kind: 'holder', id, origin: 'https://shop.example' }) as const,
  )
  let polls = 0
  poll = async () => {
    polls += 1
    return polls === 1 ? questions : waiting()
  }
  await begin({
    answer: async ({ id }) => {
      if (id === ids[0]) throw new Error('the disk is full')
      return { kind: 'valid', id, granted: [] }
    },
  })
  await settled()
  expect(answers).toEqual([
    { kind: 'no', id: ids[0] },
    { kind: 'valid', id: ids[1], granted: [] },
  ])
})

test('what changed is told by registering again', async () => {
  sight = known
  const running = await begin()
  running.refresh()
  await settled()
  expect(registrations).toBe(2)
})

test('what changed and was not taken is told again after the poll', async () => {
  sight = known
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
  await settled()
  registering = async () => 'session of later'
  expect([registrations, sessions]).toEqual([2, ['session 1']])
  polls.shift()?.()
  await settled()
  expect([registrations, sessions]).toEqual([3, ['session 1', 'session of later']])
  polls.shift()?.()
  await settled()
  expect(registrations).toBe(3)
})

test('what changed while we register is told after it', async () => {
  sight = known
  const first = Promise.withResolvers<string>()
  registering = () => first.promise
  poll = waiting
  const running = await begin()
  running.refresh()
  first.resolve('session')
  await settled()
  expect([registrations, running.state().kind]).toEqual([2, 'linked'])
})

test('of an allowlist that is too long for the registry, it hears what it can, and the log says so', async () => {
  sight = known
  const allowlist = [
    'https://shop.example',
    `https://${'a'.repeat(600)}.example`,
    'https://b.example',
  ]
  const running = await begin({ registration: () => registrationOf({ allowlist }) })
  running.refresh()
  await settled()
  expect([registrations, bodies.map((body) => body.allowlist)]).toEqual([
    2,
    Array.from({ length: 2 }, () => ['https://shop.example', 'https://b.example']),
  ])
  expect(bodies.every((body) => Registration.safeParse(body).success)).toBe(true)
  expect(logged.filter((line) => line.includes('not told'))).toEqual([
    'entries of the allowlist not told to the registry {"dropped":1}',
  ])
})

test('with the connector ends the registry that it runs', async () => {
  poll = waiting
  const running = await begin()
  const stopped = running.stop()
  breakOff(absent)
  await stopped
  expect(children).toEqual([{ alive: false }])
  expect(started).toBe(1)
})
