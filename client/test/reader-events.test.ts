/** The changes of the readers: one stream for all tabs, resumed when it breaks, and polling where there is none. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { measureProcessorMs } from '../../test/bed/processor-time.ts'
import { proves } from '../../test/bed/proves.ts'
import type { CardwireClient, ReaderChange } from '../src/core-service.ts'
import { initializeWith } from '../src/initialize.ts'
import type { Ports } from '../src/ports.ts'
import { type Connector, reader, startConnector } from './harness/connector.ts'
import { failureOf } from './harness/failure.ts'
import { openPage, origin, type Page, pageFetch } from './harness/page.ts'
import { info, noKey, startScriptedServer } from './harness/scripted-server.ts'

const clientAt = (port: string, page: Page): Promise<CardwireClient> =>
  initializeWith(page.ports, { t1cApiUrl: 'http://localhost', t1cApiPort: port }, {})

async function start(ports: Partial<Ports> = {}) {
  const connector = await startConnector()
  connector.makeConsent()
  connector.state.readers = [reader('a')]
  const page = openPage(ports)
  return { connector, page, client: await clientAt(connector.apiPort, page) }
}

/** Listens until the test ends. */
function listen(client: CardwireClient) {
  const left = new AbortController()
  onTestFinished(() => left.abort())
  const stale: boolean[] = []
  const onStale = (one: boolean) => stale.push(one)
  const events = client.readerEvents({ signal: left.signal, onStale })
  const next = async (): Promise<ReaderChange | undefined> =>
    (await events.next()).value ?? undefined
  return { next, leave: () => left.abort(), events, stale }
}

const shared = { locks: navigator.locks, openChannel: (name: string) => new BroadcastChannel(name) }
const due = (page: Page, ms: number) => expect.poll(() => page.elapse(ms)).toBe(true)
const streams = (connector: Connector, count: number) =>
  expect.poll(() => connector.streams.size).toBe(count)
const afters = (connector: Connector): number => connector.countRequests('/v3/readers/events')

const inserted = { type: 'card-inserted', sequence: 1, reader: reader('a', '3B00') } as const
const removed = { type: 'card-removed', sequence: 2, reader: reader('a') } as const
const added = { type: 'reader-added', sequence: 3, reader: reader('b') } as const
const gone = { type: 'reader-removed', sequence: 4, reader: reader('b') } as const

test('readerEvents yields a snapshot, then each change with all readers after it', async () => {
  const { connector, client } = await start()
  const { next } = listen(client)
  expect(await next()).toEqual({ type: 'snapshot', readers: [reader('a')] })
  await streams(connector, 1)
  for (const event of [inserted, removed, added, gone]) await connector.sendEvent(event)
  const [a, b, full] = [reader('a'), reader('b'), reader('a', '3B00')]
  expect(await next()).toEqual({ type: 'card-inserted', reader: full, readers: [full] })
  expect(await next()).toEqual({ type: 'card-removed', reader: a, readers: [a] })
  expect(await next()).toEqual({ type: 'reader-added', reader: b, readers: [a, b] })
  expect(await next()).toEqual({ type: 'reader-removed', reader: b, readers: [a] })
})

test('a snapshot says that the card service has gone, and another one that it is back', async () => {
  proves('card-service-down-reported')
  const { connector, client } = await start()
  const { next } = listen(client)
  await next()
  await streams(connector, 1)
  const down = { state: 'down', reason: 'The service is not running' } as const
  await connector.sendEvent({ type: 'snapshot', sequence: 1, readers: [], cardService: down })
  expect(await next()).toEqual({ type: 'snapshot', readers: [], cardService: down })
  const readers = [reader('a')]
  await connector.sendEvent({
    type: 'snapshot',
    sequence: 2,
    readers,
    cardService: { state: 'up' },
  })
  expect(await next()).toEqual({ type: 'snapshot', readers, cardService: { state: 'up' } })
})

test('where the readers are polled, a card service that has gone is a snapshot, and no error', async () => {
  proves('card-service-down-reported')
  const { connector, page, client } = await start()
  connector.state.maxStreams = 0
  const { next } = listen(client)
  await next()
  connector.state.cardServiceReason = 'Cannot list the readers'
  await due(page, 2000)
  const cardService = { state: 'down', reason: 'Cannot list the readers' }
  expect(await next()).toEqual({ type: 'snapshot', readers: [], cardService })
  connector.state.cardServiceReason = undefined
  await due(page, 2000)
  const back = { type: 'snapshot', readers: [reader('a')], cardService: { state: 'up' } }
  expect(await next()).toEqual(back)
})

test('a frame without locks has a stream of its own', async () => {
  const refuse = () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'))
  const locks = { request: refuse, query: refuse }
  const { connector, client } = await start({ ...shared, locks })
  const { next } = listen(client)
  expect(await next()).toEqual({ type: 'snapshot', readers: [reader('a')] })
  await streams(connector, 1)
  await connector.sendEvent(inserted)
  expect(await next()).toMatchObject({ type: 'card-inserted' })
})

test('leaving the loop closes the stream, and a signal ends the loop without an error', async () => {
  const { connector, client } = await start()
  for await (const { type } of client.readerEvents()) {
    expect(type).toBe('snapshot')
    await streams(connector, 1)
    break
  }
  await streams(connector, 0)
  const { events, next, leave } = listen(client)
  await next()
  leave()
  expect(await events.next()).toEqual({ done: true, value: undefined })
  await streams(connector, 0)
})

test('a stream that ended is resumed after the last event, and no event is repeated or lost', async () => {
  const { connector, page, client } = await start()
  const { next } = listen(client)
  await next()
  await streams(connector, 1)
  await connector.sendEvent(inserted)
  expect(await next()).toMatchObject({ type: 'card-inserted' })
  for (const stream of connector.streams) stream.abort()
  await streams(connector, 0)
  connector.state.readers = [reader('a'), reader('b')]
  connector.state.events.push(removed, added)
  await due(page, 100)
  expect([await next(), await next()]).toMatchObject([
    { type: 'card-removed' },
    { type: 'reader-added' },
  ])
  expect(afters(connector)).toBe(2)
})

test('after a restart of the connector its list is compared with the known one', async () => {
  const { connector, page, client } = await start()
  const { next } = listen(client)
  await next()
  await streams(connector, 1)
  await connector.sendEvent(added)
  await next()
  for (const stream of connector.streams) stream.abort()
  await streams(connector, 0)
  Object.assign(connector.state, { events: [], readers: [reader('c', '3B00')] })
  await due(page, 100)
  expect([await next(), await next(), await next()]).toMatchObject([
    { type: 'reader-removed', reader: { id: 'a' } },
    { type: 'reader-removed', reader: { id: 'b' } },
    { type: 'reader-added', readers: [reader('c', '3B00')] },
  ])
})

test('a stream that is silent for twenty seconds is opened again', async () => {
  const { connector, page, client } = await start()
  const { next } = listen(client)
  await next()
  await streams(connector, 1)
  await due(page, 20_000)
  await due(page, 100)
  await expect.poll(() => afters(connector)).toBe(2)
})

describe('the readers are stale', () => {
  test('after three heartbeats that did not come, until the next one', async () => {
    proves('stale-readers')
    const { connector, page, client } = await start()
    connector.state.heartbeatMs = 1000
    const { next, stale } = listen(client)
    await next()
    await streams(connector, 1)
    const [stream] = connector.streams
    await stream?.write(': here\n\n')
    await due(page, 3000)
    expect(stale).toEqual([true])
    await stream?.write(': here\n\n')
    await expect.poll(() => stale).toEqual([true, false])
    // The time begins again with each heartbeat.
    await due(page, 3000)
    expect(stale).toEqual([true, false, true])
  })

  test('not before fifteen seconds for a connector that does not say how often it sends one', async () => {
    const { connector, page, client } = await start()
    const { next, stale } = listen(client)
    await next()
    await streams(connector, 1)
    expect(page.elapse(3000)).toBe(false)
    await due(page, 15_000)
    expect(stale).toEqual([true])
  })

  test('at once where no connector listens any more', async () => {
    proves('stale-readers')
    let gone = false
    const send = pageFetch(origin)
    const fetch: Ports['fetch'] = (url, init) =>
      gone ? Promise.reject(new TypeError('Failed to fetch')) : send(url, init)
    const { connector, page, client } = await start({ fetch })
    const { next, stale } = listen(client)
    await next()
    await streams(connector, 1)
    gone = true
    for (const stream of connector.streams) stream.abort()
    await streams(connector, 0)
    expect(stale).toEqual([])
    await due(page, 100)
    await expect.poll(() => stale).toEqual([true])
    gone = false
    await due(page, 500)
    await expect.poll(() => stale).toEqual([true, false])
  })

  test('in all tabs, also in one that comes later, until the next tab that reads the stream has a sign of life', async () => {
    proves('stale-readers')
    const { connector, page, client } = await start(shared)
    const other = await clientAt(connector.apiPort, openPage(shared))
    const [first, second] = [listen(client), listen(other)]
    await first.next()
    await second.next()
    await streams(connector, 1)
    await due(page, 15_000)
    await expect.poll(() => [first.stale, second.stale]).toEqual([[true], [true]])
    const third = listen(await clientAt(connector.apiPort, openPage(shared)))
    await third.next()
    expect(third.stale).toEqual([true])
    first.leave()
    await expect
      .poll(() => [second.stale, third.stale])
      .toEqual([
        [true, false],
        [true, false],
      ])
  })
})

test('the readers are polled every two seconds where the connector allows no more streams', async () => {
  const { connector, page, client } = await start()
  connector.state.maxStreams = 0
  const { next } = listen(client)
  const cardService = { state: 'up' }
  expect(await next()).toEqual({ type: 'snapshot', readers: [reader('a')], cardService })
  connector.state.readers = [reader('a', '3B00')]
  await due(page, 2000)
  expect(await next()).toMatchObject({ type: 'card-inserted', reader: { id: 'a' } })
  connector.state.maxStreams = 1
  await due(page, 2000)
  expect(await next()).toMatchObject({ type: 'snapshot' })
  await streams(connector, 1)
})

test('readerEvents rejects with the client to ask for consent with when the consent is revoked', async () => {
  const { connector, page, client } = await start()
  const { next } = listen(client)
  await next()
  await streams(connector, 1)
  connector.state.consents = []
  for (const stream of connector.streams) stream.abort()
  const failure = failureOf(next())
  await due(page, 100)
  expect(await failure).toMatchObject({ code: '500', reason: 'consent-required', client })
})

test.each([
  ['ends at once', ''],
  ['is no stream of events', 'data: {"type":"party"}\n\n'],
  ['has an event without an end', `data: ${'x'.repeat(2_000_000)}`],
])('a stream that %s is given up after seven attempts', async (_, text) => {
  const server = await startScriptedServer((_, response, path) => {
    if (path === '/info') response.end(info)
    else response.end(path === '/device-key' ? noKey : text)
  })
  const page = openPage()
  const { next } = listen(await clientAt(server.port, page))
  const failure = failureOf(next())
  for (const ms of [100, 500, 1000, 2000, 4000, 8000, 15_000]) await due(page, ms)
  expect(await failure).toMatchObject({ code: '900', reason: 'answer-malformed' })
})

test('all tabs share one stream; when the tab that reads it leaves, the next one goes on', async () => {
  const { connector, client } = await start(shared)
  const other = await clientAt(connector.apiPort, openPage(shared))
  const [first, second] = [listen(client), listen(other)]
  expect(await first.next()).toMatchObject({ type: 'snapshot' })
  expect(await second.next()).toMatchObject({ type: 'snapshot', readers: [reader('a')] })
  await streams(connector, 1)
  await connector.sendEvent(inserted)
  expect([await first.next(), await second.next()]).toMatchObject([
    { type: 'card-inserted' },
    { type: 'card-inserted' },
  ])
  const third = listen(await clientAt(connector.apiPort, openPage(shared)))
  expect(await third.next()).toEqual({ type: 'snapshot', readers: [reader('a', '3B00')] })
  expect(afters(connector)).toBe(1)

  connector.state.readers = [reader('a', '3B00')]
  first.leave()
  await expect.poll(() => afters(connector)).toBe(2)
  await streams(connector, 1)
  await connector.sendEvent(removed)
  expect([await second.next(), await third.next()]).toMatchObject([
    { type: 'card-removed' },
    { type: 'card-removed' },
  ])
  expect(afters(connector)).toBe(2)
})

test('messages of another tab are validated like events of the connector', async () => {
  proves('page-storage-changed')
  const { connector, client } = await start(shared)
  const { next } = listen(client)
  await next()
  await streams(connector, 1)
  const stranger = new BroadcastChannel(`cardwire-readers ${client.url}`)
  onTestFinished(() => stranger.close())
  for (const message of [null, 1, {}, { change: 1 }, { state: { type: 'snapshot' } }]) {
    stranger.postMessage(message)
  }
  await connector.sendEvent(inserted)
  expect(await next()).toMatchObject({ type: 'card-inserted' })
})

/** A page that listens to a connector whose only stream has these events. */
async function followStream(events: readonly object[]) {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const answers = [info, noKey, text]
  const paths = ['/info', '/device-key', '/v3/readers/events']
  const server = await startScriptedServer((_, response, path) => {
    const answer = answers[paths.indexOf(path)]
    if (answer !== undefined) response.end(answer)
    if (answer === text) answers.pop()
  })
  const page = openPage()
  const { next } = listen(await clientAt(server.port, page))
  const seen = [await next()]
  // The stream ended while the page was busy with the first change, and is opened again.
  await due(page, 100)
  return { seen, next }
}

const snapshot = { type: 'snapshot', sequence: 0 }

test('many changes that come while the page is busy become a snapshot', async () => {
  proves('response-huge')
  const changes = Array.from({ length: 5000 }, (_, at) => [
    { type: 'card-inserted', sequence: 2 * at + 1, reader: reader('b', '3B00') },
    { type: 'card-removed', sequence: 2 * at + 2, reader: reader('b') },
  ]).flat()
  const last = { type: 'reader-added', sequence: 10_001, reader: reader('c') }
  const readers = [reader('a'), reader('b')]
  const { seen, next } = await followStream([{ ...snapshot, readers }, ...changes, last])
  while (seen.at(-1)?.readers.length !== 3) seen.push(await next())
  expect(seen.length).toBeLessThanOrEqual(203)
  expect(seen.slice(1)).toContainEqual({ type: 'snapshot', readers: expect.any(Array) })
  expect(seen.at(-1)?.readers).toEqual([reader('a'), reader('b'), reader('c')])
})

test('a stream cannot name more readers than a computer has', async () => {
  proves('response-huge')
  const added = Array.from({ length: 20_000 }, (_, at) => {
    return { type: 'reader-added', sequence: at + 1, reader: reader(`${at}`) }
  })
  let counts: readonly (number | undefined)[] = []
  const usedMs = await measureProcessorMs(async () => {
    const { seen, next } = await followStream([{ ...snapshot, readers: [] }, ...added])
    while ((seen.at(-1)?.readers.length ?? 256) < 256) seen.push(await next())
    counts = seen.map((change) => change?.readers.length)
  })
  expect(counts.at(-1)).toBe(256)
  expect(usedMs).toBeLessThan(2000)
})
