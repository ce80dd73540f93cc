/** How the connector enforces its policy: messages, exit statuses and faults. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Policy } from '../../src/distribution/client/verify-reply.ts'
import { enforcePolicy } from '../../src/distribution/policy/enforce.ts'
import { createFaults } from '../../src/distribution/sync/faults.ts'
import type { DialogResult, Message } from '../../src/system/desktop/desktop.ts'
import { createManualClock, flushPromises } from '../registry/manual-clock.ts'

const version = '4.0.0'
const offer = { version: '4.1.0', url: 'https://downloads.example/cardwire-4.1.0.deb' }
const none = { action: 'none', version } as const
const digest = '5d41402abc4b2a76b9719d911017c592'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-orders-'))
  writeFileSync(join(folder, 'hello'), 'hello')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type TestPolicy = Partial<Pick<Policy, 'verdict' | 'files'>>

/** A connector for which the service said `first` long ago, and says `fresh` when it is asked. */
function createConnector(
  first: TestPolicy,
  fresh: TestPolicy = first,
  response: DialogResult = 'closed',
  offersUpdates = true,
) {
  const toPolicy = (part: TestPolicy) =>
    ({ verdict: none, files: [], ...part }) as unknown as Policy
  let policy = toPolicy(first)
  const messages: Message[] = []
  const statuses: number[] = []
  const logged: string[] = []
  const faults = createFaults(Date.now)
  const ended = Promise.withResolvers<number>()
  const listeners: (() => void)[] = []
  /** A synchronization that brings this. */
  const brings = (part: TestPolicy) => {
    policy = toPolicy(part)
    for (const listener of listeners) listener()
  }
  let synchronizations = 0
  const clock = createManualClock()
  enforcePolicy({
    version,
    folder,
    faults,
    log: createLog(logged),
    policy: () => policy,
    synchronizer: {
      async synchronize() {
        synchronizations += 1
        await flushPromises()
        brings(fresh)
        return { kind: 'good', at: 0 }
      },
      onSuccess: (listener) => void listeners.push(listener),
    },
    offersUpdates,
    timers: clock,
    language: 'en',
    dialog: {
      async show(message) {
        messages.push(message)
        return response
      },
    },
    end(status) {
      statuses.push(status)
      ended.resolve(status)
    },
  })
  return {
    ...{ messages, statuses, logged, faults, brings, clock },
    ended: ended.promise,
    synchronizations: () => synchronizations,
  }
}

test.each(['require', 'stop'] as const)(
  'a verdict to %s shows a message with the link, and ends the connector with 78',
  async (action) => {
    const { brings, ended, messages, statuses } = createConnector({})
    brings({ verdict: { action, version, offer } })
    expect(await ended).toBe(78)
    expect(messages).toEqual([
      {
        title: 'Cardwire must be updated',
        text: expect.stringContaining('4.1.0'),
        close: 'Close',
        link: { label: 'Install 4.1.0', url: offer.url },
      },
    ])
    expect(statuses).toEqual([78])
  },
)

test('a stored verdict is enforced at the start, also without a desktop', async () => {
  const verdict = { action: 'stop', version } as const
  const { ended, messages } = createConnector({ verdict }, { verdict }, 'unavailable')
  expect(await ended).toBe(78)
  expect(messages).toHaveLength(1)
  expect(messages[0]).not.toHaveProperty('link')
})

test('a stored verdict that was withdrawn since is not enforced at the start', async () => {
  const { messages, statuses, logged, synchronizations } = createConnector(
    { verdict: { action: 'stop', version } },
    {},
  )
  await expect.poll(() => logged.join()).toContain('this version is allowed again')
  expect([messages, statuses, synchronizations()]).toEqual([[], [], 1])
})

test('a verdict on another version has no effect', async () => {
  const other = { action: 'stop', version: '3.9.0', offer } as const
  const { brings, messages, statuses } = createConnector({ verdict: other })
  brings({ verdict: other })
  brings({ verdict: { ...other, action: 'recommend' } })
  await flushPromises()
  expect([messages, statuses]).toEqual([[], []])
})

const recommends = (next: string) => ({
  verdict: { action: 'recommend', version, offer: { ...offer, version: next } } as const,
})

test('a recommendation is shown once for each recommended version', async () => {
  const { brings, messages, statuses, clock } = createConnector(recommends('4.1.0'))
  for (const next of ['4.1.0', '4.1.0', '4.2.0', '4.2.0', '4.1.0']) {
    brings(recommends(next))
    await flushPromises()
    await clock.pass(3_600_000)
  }
  expect(messages.map(({ link }) => link?.label)).toEqual(['Install 4.1.0', 'Install 4.2.0'])
  expect(messages[0]?.title).toBe('A Cardwire update is available')
  expect(statuses).toEqual([])
})

test('a service that recommends another version each minute shows one window in an hour', async () => {
  proves('recommendation-repeated')
  const { brings, messages, clock } = createConnector(recommends('4.1.0'))
  for (let patch = 1; patch < 60; patch += 1) {
    brings(recommends(`4.1.${patch}`))
    await clock.pass(60_000)
  }
  expect(messages.map(({ link }) => link?.label)).toEqual(['Install 4.1.0'])
  await clock.pass(60_000)
  brings(recommends('4.2.0'))
  expect(messages.map(({ link }) => link?.label)).toEqual(['Install 4.1.0', 'Install 4.2.0'])
})

test('without offers a recommendation is not shown, and a version that is forbidden is, without a link', async () => {
  proves('update-off')
  const recommends = { verdict: { action: 'recommend', version, offer } } as const
  const { brings, ended, messages, logged } = createConnector(recommends, {}, 'closed', false)
  brings(recommends)
  expect(messages).toEqual([])
  expect(logged.join()).toContain('another version is recommended')
  brings({ verdict: { action: 'stop', version, offer } })
  expect(await ended).toBe(78)
  expect(messages).toEqual([
    {
      title: 'Cardwire must be updated',
      text: expect.stringContaining('Ask your administrator'),
      close: 'Close',
    },
  ])
})

test('altered files are reported to the service, and end the connector with 3', async () => {
  const files = [{ path: 'hello', digest: '0'.repeat(32) }]
  const { ended, faults, synchronizations, logged } = createConnector({ files })
  expect(await ended).toBe(3)
  expect(synchronizations()).toBe(1)
  expect(faults.list()).toMatchObject([{ kind: 'digest-mismatch', detail: 'hello' }])
  expect(logged.join()).toContain('files of the installation were altered')
})

test('files are checked after a synchronization too', async () => {
  const altered = { files: [{ path: 'gone', digest }] }
  const { brings, ended, synchronizations } = createConnector(
    { files: [{ path: 'hello', digest }] },
    altered,
  )
  // While the first check may still be under way.
  brings(altered)
  expect(await ended).toBe(3)
  expect(synchronizations()).toBe(1)
})

test('a list of digests that was corrected since does not end the connector', async () => {
  const { statuses, faults, synchronizations } = createConnector(
    { files: [{ path: 'hello', digest: '0'.repeat(32) }] },
    { files: [{ path: 'hello', digest }] },
  )
  await expect.poll(synchronizations).toBe(1)
  await expect.poll(() => faults.list()).toEqual([])
  expect(statuses).toEqual([])
})

test('a list of digests with a path outside is reported as a fault, and does not end the connector', async () => {
  const { statuses, faults } = createConnector({ files: [{ path: '../hello', digest }] })
  await expect.poll(() => faults.list()).toMatchObject([{ kind: 'digests-refused' }])
  expect(statuses).toEqual([])
})
