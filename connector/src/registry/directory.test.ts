/** Who is known, for how long, and whose: with a clock of the test's own. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type ManualClock, manualClock, settled } from '../../test/registry/manual-clock.ts'
import { agentIds, registrationOf } from '../../test/registry/registrations.ts'
import { createDirectory, type Directory, mostMembers } from './directory.ts'

const ada = '1000'
const bob = '1001'
const never = new AbortController().signal
const question = {
  kind: 'holder',
  id: crypto.randomUUID(),
  origin: 'https://shop.example',
} as const

let clock: ManualClock
let directory: Directory

beforeEach(() => {
  clock = manualClock()
  directory = createDirectory(clock)
})

const poll = (session: string, gone: AbortSignal = never) =>
  directory.of(session, ada).mailbox.take(gone)

describe('registration', () => {
  test('answers with a session of 256 random bits', () => {
    const session = directory.register(registrationOf(), ada)
    expect(Buffer.from(session, 'base64url')).toHaveLength(32)
    expect(directory.of(session, ada)).toMatchObject({ agentId: agentIds.ada, user: ada })
  })

  test('session that nobody was given is unknown', () => {
    directory.register(registrationOf(), ada)
    const guess = Buffer.alloc(32).toString('base64url')
    expect(() => directory.of(guess, ada)).toThrow(
      expect.objectContaining({ name: 'agent-unknown' }),
    )
  })

  test('session of another user is refused', () => {
    const session = directory.register(registrationOf(), ada)
    expect(() => directory.of(session, bob)).toThrow(
      expect.objectContaining({ name: 'caller-refused' }),
    )
  })

  test.each([
    [ada, undefined],
    [undefined, ada],
  ])('agent of user %s that lives cannot be taken by user %s', (owner, taker) => {
    directory.register(registrationOf(), owner)
    expect(() => directory.register(registrationOf({ port: 25_101 }), taker)).toThrow(
      expect.objectContaining({ name: 'caller-refused' }),
    )
    expect(directory.members()).toHaveLength(1)
  })

  test('whoever took the agent id of another user keeps nobody out, and is asked for nobody else', async () => {
    const squatter = directory.register(registrationOf(), bob)
    const session = directory.register(registrationOf(), ada)
    expect([directory.of(squatter, bob).user, directory.of(session, ada).user]).toEqual([bob, ada])
    expect(await directory.arrival(agentIds.ada, ada)).toMatchObject([{ user: ada }])
    expect(directory.members(ada)).toMatchObject([{ user: ada }])
  })

  test('again by the same process replaces the session and keeps what is being asked', async () => {
    const before = directory.register(registrationOf(), ada)
    const waiting = poll(before)
    const after = directory.register(registrationOf({ allowlist: [] }), ada)
    expect(await waiting).toEqual([])
    expect(() => directory.of(before, ada)).toThrow(
      expect.objectContaining({ name: 'agent-unknown' }),
    )
    directory.members()[0]?.mailbox.put(question)
    expect(await poll(after)).toEqual([question])
    expect(directory.members()).toHaveLength(1)
  })

  test('two connectors of one user stand side by side', () => {
    const first = directory.register(registrationOf(), ada)
    const second = directory.register(registrationOf({ pid: 101, port: 25_101 }), ada)
    expect([directory.of(first, ada).port, directory.of(second, ada).port]).toEqual([
      25_100, 25_101,
    ])
  })

  test('one user leaves room for others, and the directory has an end', () => {
    const users = [ada, bob, '1002']
    const accepted = users.map((user) => {
      let count = 0
      for (let pid = 1; pid <= mostMembers.all + 1; pid += 1) {
        try {
          directory.register(registrationOf({ agentId: crypto.randomUUID(), pid }), user)
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

describe('poll', () => {
  test('is answered at once when there is a question', async () => {
    const session = directory.register(registrationOf(), ada)
    const waiting = poll(session)
    directory.of(session, ada).mailbox.put(question)
    expect(await waiting).toEqual([question])
  })

  test('gets together what came while nobody polled', async () => {
    const session = directory.register(registrationOf(), ada)
    const { mailbox } = directory.of(session, ada)
    const waiting = poll(session)
    const others = [1, 2, 3].map(() => ({ ...question, id: crypto.randomUUID() }))
    for (const each of [question, ...others]) mailbox.put(each)
    expect(await waiting).toEqual([question])
    expect(await poll(session)).toEqual(others)
  })

  test('is answered with nothing after 8 s', async () => {
    const session = directory.register(registrationOf(), ada)
    const heard: unknown[] = []
    void poll(session).then((questions) => heard.push(questions))
    await clock.pass(7999)
    expect(heard).toEqual([])
    await clock.pass(1)
    await settled()
    expect(heard).toEqual([[]])
  })

  test('second poll ends the first, and gets the question', async () => {
    const session = directory.register(registrationOf(), ada)
    const first = poll(session)
    const second = poll(session)
    expect(await first).toEqual([])
    directory.of(session, ada).mailbox.put(question)
    expect(await second).toEqual([question])
  })
})

describe('agent', () => {
  const goneAfter = async (ms: number) => {
    await clock.pass(ms)
    return directory.members().length === 0
  }

  test('that never polls is dropped after two polls it could have made', async () => {
    directory.register(registrationOf(), ada)
    expect(await goneAfter(19_999)).toBe(false)
    expect(await goneAfter(1)).toBe(true)
  })

  test('that polls stays as long as it does', async () => {
    const session = directory.register(registrationOf(), ada)
    for (let round = 0; round < 10; round += 1) {
      void poll(session)
      expect(await goneAfter(8500)).toBe(false)
    }
    expect(await goneAfter(20_000)).toBe(true)
  })

  test('whose poll broke off is dropped soon, unless it comes back', async () => {
    const session = directory.register(registrationOf(), ada)
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

  test('that was dropped may be registered by whoever comes, and its end is told', async () => {
    const gone: string[] = []
    directory.onGone(({ agentId }) => gone.push(agentId))
    const session = directory.register(registrationOf(), ada)
    await clock.pass(20_000)
    expect(gone).toEqual([agentIds.ada])
    expect(() => directory.of(session, ada)).toThrow(
      expect.objectContaining({ name: 'agent-unknown' }),
    )
    directory.register(registrationOf(), bob)
    expect(directory.members()).toMatchObject([{ user: bob }])
  })
})

describe('those who may be meant', () => {
  const meant = (asker?: string) => directory.members(asker).map(({ agentId }) => agentId)
  beforeEach(() => {
    directory.register(registrationOf(), ada)
    directory.register(registrationOf({ agentId: agentIds.bob }), bob)
  })

  test('by a page are the connectors of its own user', async () => {
    expect([meant(ada), meant(bob), meant('1002')]).toEqual([[agentIds.ada], [agentIds.bob], []])
    expect(await directory.arrival(agentIds.ada, ada)).toHaveLength(1)
    const arrival = directory.arrival(agentIds.ada, bob)
    await clock.pass(3000)
    expect(await arrival).toEqual([])
  })

  test('where the system does not tell are all', () => {
    directory.register(registrationOf({ agentId: crypto.randomUUID() }), undefined)
    expect(meant()).toHaveLength(3)
    expect(meant(ada)).toHaveLength(2)
  })
})

describe('arrival', () => {
  test('just after the start is waited for', async () => {
    const arrival = directory.arrival(agentIds.ada)
    await clock.pass(1000)
    directory.register(registrationOf({ agentId: agentIds.bob }), bob)
    directory.register(registrationOf(), ada)
    expect(await arrival).toMatchObject([{ agentId: agentIds.ada }])
  })

  test('is waited for no longer than three seconds', async () => {
    const arrival = directory.arrival(agentIds.ada)
    await clock.pass(3000)
    expect(await arrival).toEqual([])
  })

  test('is not waited for later', async () => {
    await clock.pass(3000)
    expect(await directory.arrival(agentIds.ada)).toEqual([])
  })
})
