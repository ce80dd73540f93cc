/** What a connector does of what its service says: shows it, ends, or goes on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message, Response } from '../../src/desktop/desktop.ts'
import { openFaults } from '../../src/sync/faults.ts'
import { followOrders } from '../../src/sync/orders.ts'
import type { Policy } from '../../src/sync/state.ts'
import { settled } from '../registry/manual-clock.ts'
import { logInto } from './device.ts'

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

type Said = Partial<Pick<Policy, 'verdict' | 'files'>>

/** A connector for which the service said `first` long ago, and says `fresh` when it is asked. */
function connector(first: Said, fresh: Said = first, response: Response = 'closed') {
  const said = (part: Said) => ({ verdict: none, files: [], ...part }) as unknown as Policy
  let policy = said(first)
  const messages: Message[] = []
  const statuses: number[] = []
  const logged: string[] = []
  const faults = openFaults(Date.now)
  const ended = Promise.withResolvers<number>()
  const listeners: (() => void)[] = []
  /** A synchronisation that brings this. */
  const brings = (part: Said) => {
    policy = said(part)
    for (const listener of listeners) listener()
  }
  let asked = 0
  followOrders({
    ...{ version, folder, faults, log: logInto(logged) },
    policy: () => policy,
    synchroniser: {
      async now() {
        asked += 1
        await settled()
        brings(fresh)
        return { kind: 'good', at: 0 }
      },
      onGood: (listener) => void listeners.push(listener),
    },
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
  return { messages, statuses, logged, faults, brings, ended: ended.promise, asked: () => asked }
}

test.each(['require', 'stop'] as const)(
  'a version that is told to %s shows a message with the link, and ends with 78',
  async (action) => {
    const { brings, ended, messages, statuses } = connector({})
    brings({ verdict: { action, version, offer } })
    expect(await ended).toBe(78)
    expect(messages).toEqual([
      {
        title: 'Cardwire has to be updated',
        text: expect.stringContaining('4.1.0'),
        link: { label: 'Download 4.1.0', url: offer.url },
      },
    ])
    expect(statuses).toEqual([78])
  },
)

test('a verdict that was said before the start is obeyed at the start, also without a desktop', async () => {
  const verdict = { action: 'stop', version } as const
  const { ended, messages } = connector({ verdict }, { verdict }, 'unavailable')
  expect(await ended).toBe(78)
  expect(messages).toHaveLength(1)
  expect(messages[0]).not.toHaveProperty('link')
})

test('a verdict that was taken back meanwhile is not obeyed at the start: nobody is locked out', async () => {
  const { messages, statuses, logged, asked } = connector(
    { verdict: { action: 'stop', version } },
    {},
  )
  await expect.poll(() => logged.join()).toContain('this version may run on')
  expect([messages, statuses, asked()]).toEqual([[], [], 1])
})

test('a verdict on another version is none', async () => {
  const other = { action: 'stop', version: '3.9.0', offer } as const
  const { brings, messages, statuses } = connector({ verdict: other })
  brings({ verdict: other })
  brings({ verdict: { ...other, action: 'recommend' } })
  await settled()
  expect([messages, statuses]).toEqual([[], []])
})

test('a recommended version is shown once, and another one once more', async () => {
  const recommends = (next: string) => ({
    verdict: { action: 'recommend', version, offer: { ...offer, version: next } } as const,
  })
  const { brings, messages, statuses } = connector(recommends('4.1.0'))
  for (const next of ['4.1.0', '4.1.0', '4.2.0', '4.1.0']) brings(recommends(next))
  expect(messages.map(({ link }) => link?.label)).toEqual(['Download 4.1.0', 'Download 4.2.0'])
  expect(messages[0]?.title).toBe('Cardwire can be updated')
  await settled()
  expect(statuses).toEqual([])
})

test('files that were altered are told to the service, and the connector ends with 3', async () => {
  const files = [{ path: 'hello', digest: '0'.repeat(32) }]
  const { ended, faults, asked, logged } = connector({ files })
  expect(await ended).toBe(3)
  expect(asked()).toBe(1)
  expect(faults.list()).toMatchObject([{ kind: 'digest-mismatch', detail: 'hello' }])
  expect(logged.join()).toContain('files of the installation were altered')
})

test('files are checked after a synchronisation, too', async () => {
  const altered = { files: [{ path: 'gone', digest }] }
  const { brings, ended, asked } = connector({ files: [{ path: 'hello', digest }] }, altered)
  // While the first check may still be under way.
  brings(altered)
  expect(await ended).toBe(3)
  expect(asked()).toBe(1)
})

test('a list of digests that was put right meanwhile ends nobody', async () => {
  const { statuses, faults, asked } = connector(
    { files: [{ path: 'hello', digest: '0'.repeat(32) }] },
    { files: [{ path: 'hello', digest }] },
  )
  await expect.poll(asked).toBe(1)
  await expect.poll(() => faults.list()).toEqual([])
  expect(statuses).toEqual([])
})

test('a list of digests that leads outside is refused and told, and ends nobody', async () => {
  const { statuses, faults } = connector({ files: [{ path: '../hello', digest }] })
  await expect.poll(() => faults.list()).toMatchObject([{ kind: 'digests-refused' }])
  expect(statuses).toEqual([])
})
