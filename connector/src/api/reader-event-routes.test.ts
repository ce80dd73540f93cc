/** The stream of reader events: what a caller gets who reads late, resumes, or never reads. */
import { createBinder } from '@cardwire/protocol/hono'
import { expect, test } from 'vitest'
import { createLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createBaseApp } from '../http/base-app.ts'
import { createSnapshots } from '../sandbox/readers/snapshots.ts'
import { createAuthorizer } from './authorize.ts'
import { bindReaderEvents } from './reader-event-routes.ts'

const origin = 'https://shop.example'
const up = { kind: 'up' } as const
const createReader = (name: string) => ({ id: name.padStart(16, '0'), name, pinpad: false })

interface Received {
  readonly type: string
  readonly sequence: number
}

/** Readers that a test changes, and streams of their events. */
function openReaders() {
  const log = createLog([])
  const snapshots = createSnapshots(log)
  const { current, publish, subscribe } = snapshots
  const consents = {
    findLatest: () => ({ id: 'a consent' }),
    isActive: () => true,
    onEnd: () => () => undefined,
  }
  const app = createBaseApp({
    log,
    names: () => new Set(['localhost']),
    allowlist: () => [origin],
    ownerOf: async () => ({ kind: 'ours', user: '1000' }),
    servesEveryone: false,
  })
  const verify = async () => ({ label: 'shop', expiresAt: Number.POSITIVE_INFINITY })
  const authorize = createAuthorizer({
    log,
    consents,
    managementToken: 'management',
    findPolicyEnd: () => undefined,
    tokens: { required: true, verify },
  })
  bindReaderEvents(createBinder(app, authorize), {
    readers: {
      snapshot: current,
      subscribe,
      ready: async () => undefined,
      probe: async () => undefined,
      findLibrary: () => undefined,
      findTokens: async () => undefined,
      sandboxPid: () => 0,
      stop: async () => undefined,
    },
    cards: { describe: () => [], modulesFor: () => [] },
    consents,
    clock: () => 0,
    allowlist: () => [origin],
    onAllowlist: () => () => undefined,
    findPolicyEnd: () => undefined,
  })
  /** Opens a stream; `after`: the number of the last event that the caller has. */
  async function open(after?: number) {
    const headers = {
      host: 'localhost',
      'x-csrf-token': 't1c-js',
      authorization: 'Bearer t',
      origin,
    }
    const query = after === undefined ? '' : `?after=${after}`
    const { body, headers: received } = await app.fetch(
      new Request(`https://localhost/v3/readers/events${query}`, { headers }),
      { peer: { address: '127.0.0.1', port: 50_000 }, port: 25_100, keepOpen: () => undefined },
    )
    if (!body) throw new Error('Cannot open the stream')
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    return {
      headers: received,
      /** Waits until nothing but this has come. */
      async readComment(): Promise<string> {
        while (!text.includes('\n\n')) text += (await reader.read()).value ?? ''
        return text
      },
      close: () => reader.cancel(),
      /** The events up to that with this number. */
      async readTo(sequence: number): Promise<readonly Received[]> {
        for (;;) {
          const events = [...text.matchAll(/^data: (.*)$/gm)].map(
            ([, data = '']): Received => JSON.parse(data),
          )
          if (events.at(-1)?.sequence === sequence) return events
          text += (await reader.read()).value ?? ''
        }
      },
    }
  }
  return { publish, open, sequence: () => current().sequence }
}

test('a caller gets a snapshot, then each change, and resumes after the last one that it has', async () => {
  const readers = openReaders()
  readers.publish(up, [])
  const first = readers.sequence()
  const stream = await readers.open()
  await stream.readTo(first)
  readers.publish(up, [createReader('a')])
  readers.publish(up, [])
  const all = await stream.readTo(first + 2)
  expect(all.map(({ type }) => type)).toEqual(['snapshot', 'reader-added', 'reader-removed'])
  await stream.close()
  const resumed = await readers.open(first + 1)
  expect(await resumed.readTo(first + 2)).toEqual(all.slice(2))
  await resumed.close()
})

test('for a caller that does not read nothing is kept: it gets a snapshot in place of what it missed', async () => {
  proves('stream-unread')
  const readers = openReaders()
  readers.publish(up, [])
  const stream = await readers.open()
  await stream.readTo(readers.sequence())
  for (let change = 0; change < 2000; change += 1)
    readers.publish(up, change % 2 === 0 ? [createReader('a')] : [])
  const events = await stream.readTo(readers.sequence())
  expect(events.length).toBeLessThan(500)
  expect(events.filter(({ type }) => type === 'snapshot').length).toBeGreaterThan(1)
  await stream.close()
})

test('a page reads how often a comment comes when nothing changes, and it comes that often', async () => {
  proves('stale-readers')
  const readers = openReaders()
  readers.publish(up, [])
  const stream = await readers.open(readers.sequence())
  expect(stream.headers.get('cardwire-heartbeat')).toBe('1000')
  expect(stream.headers.get('access-control-expose-headers')).toBe('cardwire-heartbeat')
  const begun = performance.now()
  expect(await stream.readComment()).toBe(': here\n\n')
  expect(performance.now() - begun).toBeLessThan(3000)
  await stream.close()
})
