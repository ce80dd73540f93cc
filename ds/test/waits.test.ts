/** Devices that wait at a node: one wait for each, not more than there are places, each assertion once, and a herd that is spread. */
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createPrometheusMetrics } from '../src/self-hosted/prometheus.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice, createIdentity, type Device, register } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

const path = '/v3/devices/wait'
const stopping: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stopping.splice(0)) await stop()
})

/** A node at which devices may wait, and how to learn that one of them does. */
async function startNode(settings: Readonly<Record<string, string>> = {}) {
  const stop = new AbortController()
  let arrived = Promise.withResolvers<void>()
  let held = 0
  let peer = '192.0.2.1'
  const service = await startInProcess({ DS_MAX_REACH: 'any', ...settings }, undefined, {
    stopping: stop.signal,
    getPeerAddress: () => peer,
    metrics: createPrometheusMetrics(),
    // The handler of the wait continues in the same turn of the loop.
    holdResponse() {
      held += 1
      setImmediate(() => arrived.resolve())
    },
  })
  stopping.push(async () => {
    stop.abort()
    await service.stop()
  })
  const token = await service.login()
  const version = await createVersion(service, token)
  const admin = async (method: string, to: string, body?: Json) =>
    getData(await service.request(method, to, { token, body }))
  return {
    service,
    version,
    admin,
    async createDevice() {
      const device = await createDevice(service, version)
      const { reply } = await device.sync()
      return { device, since: reply.wait?.since, offer: reply.wait }
    },
    /** Resolves when the request is held, or answered. */
    async begin(device: Device, since: number, token?: string) {
      arrived = Promise.withResolvers()
      const answer = device.request('GET', `${path}?since=${since}`, undefined, {
        path,
        ...(token !== undefined && { token }),
      })
      await Promise.race([arrived.promise, answer])
      return { answer }
    },
    countHeld: () => held,
    comeFrom(address: string) {
      peer = address
    },
    stop: () => stop.abort(),
    /** How many wait, and why others were answered: those of which there are any. */
    async readMetrics() {
      const { text } = await service.request('GET', '/metrics', { token })
      const ends = [
        ...text.matchAll(/^cardwire_ds_waits_answered_total\{reason="([^"]*)"\} (\d+)$/gm),
      ]
      return {
        waiting: Number(/^cardwire_ds_waits (\d+)$/m.exec(text)?.[1]),
        ended: Object.fromEntries(
          ends
            .filter(([, , count]) => count !== '0')
            .map(([, reason, count]) => [reason, Number(count)]),
        ),
        reasons: ends.map(([, reason]) => reason),
      }
    },
  }
}

const pass = (service: InProcess, ms: number) => {
  service.now += ms
}

test('the assertion of a wait works once', async () => {
  proves('wait-of-another', 'assertion-elsewhere')
  const { createDevice, begin } = await startNode()
  const { device, since } = await createDevice()
  const token = await device.createAssertion('', { method: 'GET', path })
  const first = await begin(device, since, token)
  const replayed = await (await begin(device, since, token)).answer
  expect([replayed.status, replayed.json.code]).toEqual([409, 'assertion-replayed'])
  // The one that waits is not ended by it.
  const later = await begin(device, since)
  expect(getData(await first.answer)).toMatchObject({ sync: false })
  const again = await (await begin(device, since, token)).answer
  expect(again.json.code).toBe('assertion-replayed')
  expect(later).toBeDefined()
})

test('only a response that waits may take longer than others', async () => {
  proves('waits-flood')
  const { createDevice, begin, admin, countHeld } = await startNode()
  const { device, since } = await createDevice()
  const token = await device.createAssertion('', { method: 'GET', path })
  const first = await begin(device, since, token)
  expect(countHeld()).toBe(1)
  expect((await (await begin(device, since, token)).answer).status).toBe(409)
  await admin('POST', `/v3/devices/${device.id}/approve`)
  await first.answer
  // The node knows the news by now.
  expect(getData(await (await begin(device, since)).answer).sync).toBe(true)
  expect(countHeld()).toBe(1)
})

test('the past of the audit is read once, whatever devices ask for', async () => {
  proves('waits-flood')
  const { service, createDevice, begin, admin } = await startNode()
  const many = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000)
    insert into audit (at, subject, name, operation, kind, id, fields)
    select 1, 'x', 'x', 'blockDevice', 'device', 'another', 'blocked' from n`
  await service.driver.run({ sql: many, params: [] })
  const { device, since } = await createDevice()
  await admin('POST', `/v3/devices/${device.id}/approve`)
  const run = vi.spyOn(service.driver, 'run')
  // What is too long ago to be known may have been news.
  const asked = [1, 2, 3, since - 4990, since - 4991, since - 4992, since - 1]
  for (const one of asked) expect(getData(await (await begin(device, one)).answer).sync).toBe(true)
  const reads = run.mock.calls.filter(([{ sql }]) => /"audit" left join/.test(sql))
  expect(reads.length).toBe(1)
})

test('a device waits once: a new request ends the one before', async () => {
  proves('waits-flood')
  const { createDevice, begin, admin } = await startNode({ DS_WAITS: '1' })
  const { device, since } = await createDevice()
  const [first, second] = [await begin(device, since), await begin(device, since)]
  expect(getData(await first.answer)).toEqual({ sync: false, afterS: expect.any(Number) })
  await admin('POST', `/v3/devices/${device.id}/approve`)
  expect(getData(await second.answer).sync).toBe(true)
})

test('a node has a limited number of places, and offers none when they are taken', async () => {
  proves('waits-flood')
  const { createDevice, begin, admin } = await startNode({ DS_WAITS: '1' })
  const { device, since } = await createDevice()
  const { device: other, since: sinceOther } = await createDevice()
  const held = await begin(device, since)
  expect((await other.sync()).reply.wait).toBeUndefined()
  expect((await device.sync()).reply.wait).toBeDefined()
  const refused = await (await begin(other, sinceOther)).answer
  expect([refused.status, refused.json.code]).toEqual([503, 'service-busy'])
  const retryAfterS = Number(refused.headers.get('retry-after'))
  expect([retryAfterS >= 600, retryAfterS <= 1200]).toEqual([true, true])
  await admin('POST', `/v3/devices/${device.id}/approve`)
  await held.answer
  expect((await other.sync()).reply.wait).toBeDefined()
})

test('devices without approval get few places, and leave them when approved ones need them', async () => {
  proves('waits-flood')
  const node = await startNode({ DS_WAITS: '2', DS_DEVICE_APPROVAL: 'on' })
  const { createDevice, begin, admin } = node
  const stranger = await createDevice()
  const held = await begin(stranger.device, stranger.since)
  const second = await createDevice()
  expect(second.offer).toBeUndefined()
  expect((await (await begin(second.device, stranger.since)).answer).status).toBe(503)
  const approved = [await createDevice(), await createDevice()]
  for (const { device } of approved) {
    await admin('POST', `/v3/devices/${device.id}/approve`)
    const { wait } = (await device.sync()).reply
    expect(wait).toBeDefined()
    await begin(device, wait.since)
  }
  const left = getData(await held.answer)
  expect([left.sync, left.afterS >= 600, left.afterS <= 1200]).toEqual([false, true, true])
})

test('no address keeps all places when devices of others come', async () => {
  proves('waits-flood')
  const { createDevice, begin, comeFrom } = await startNode({ DS_WAITS: '2' })
  const [one, two, three] = [await createDevice(), await createDevice(), await createDevice()]
  const first = await begin(one.device, one.since)
  await begin(two.device, two.since)
  expect((await (await begin(three.device, three.since)).answer).status).toBe(503)
  comeFrom('198.51.100.7')
  expect((await three.device.sync()).reply.wait).toBeDefined()
  await begin(three.device, three.since)
  expect(getData(await first.answer).sync).toBe(false)
})

test('with DS_WAITS=0 no device may wait', async () => {
  proves('waits-flood')
  const { createDevice, begin } = await startNode({ DS_WAITS: '0' })
  const { device, offer } = await createDevice()
  expect(offer).toBeUndefined()
  expect(getData(await (await begin(device, 0)).answer)).toEqual({ sync: false, afterS: 3600 })
})

test('a wait without news ends after its time, and names the news that the device has now', async () => {
  proves('news-in-a-minute')
  const { createDevice, begin, service, admin } = await startNode()
  const { device, since } = await createDevice()
  const held = await begin(device, since)
  // Of no interest to this one.
  const { device: other } = await createDevice()
  await admin('POST', `/v3/devices/${other.id}/approve`)
  pass(service, 50_000)
  const answer = getData(await held.answer)
  expect(answer).toMatchObject({ sync: false, since: expect.any(Number) })
  expect([answer.since > since, answer.afterS <= 2]).toEqual([true, true])
})

test('what a device missed while others waited is news when it comes back', async () => {
  proves('news-in-a-minute')
  const { createDevice, begin, admin } = await startNode()
  const [one, other] = [await createDevice(), await createDevice()]
  const held = await begin(other.device, other.since)
  await admin('POST', `/v3/devices/${one.device.id}/approve`)
  await admin('POST', `/v3/devices/${other.device.id}/approve`)
  // The node has read both by now.
  expect(getData(await held.answer).sync).toBe(true)
  const missed = await begin(one.device, one.since)
  expect(getData(await missed.answer).sync).toBe(true)
})

test('devices that are woken together synchronize one after the other', async () => {
  proves('wake-herd')
  const { createDevice, begin, admin } = await startNode({ DS_WAKE_RATE: '1' })
  const waiting = []
  for (let index = 0; index < 4; index += 1) {
    const { device, since } = await createDevice()
    waiting.push((await begin(device, since)).answer)
  }
  await createVersionOf(admin)
  const answers = (await Promise.all(waiting)).map(getData)
  expect(answers.map(({ sync }) => sync)).toEqual([true, true, true, true])
  expect(answers.map(({ afterS }) => afterS).toSorted((a, b) => a - b)).toEqual([0, 5, 10, 15])
})

test('devices that come back with news synchronize one after the other, as those that waited do', async () => {
  proves('wake-herd')
  const { createDevice, begin, admin } = await startNode({ DS_WAKE_RATE: '1' })
  const devices = []
  for (let index = 0; index < 4; index += 1) devices.push(await createDevice())
  await createVersionOf(admin)
  const delays = []
  for (const { device, since } of devices)
    delays.push(getData(await (await begin(device, since)).answer).afterS)
  expect(delays).toEqual([0, 5, 10, 15])
  // As after a backup was restored.
  const [fifth, sixth] = [await createDevice(), await createDevice()]
  const restored = []
  for (const { device, since } of [fifth, sixth])
    restored.push(getData(await (await begin(device, since + 1000)).answer))
  expect(restored).toEqual([
    { sync: true, afterS: 20 },
    { sync: true, afterS: 25 },
  ])
})

test('a version that a device or a registration brings wakes no other device', async () => {
  proves('wake-herd')
  const { service, version, createDevice, begin } = await startNode({ DS_IMPLICIT_VERSIONS: 'on' })
  const { device, since } = await createDevice()
  const { device: other } = await createDevice()
  expect((await other.sync({ version: '66.0.1' })).status).toBe(200)
  const key = version.installationApiKey
  const named = { version: '66.0.2' }
  expect((await register(service, await createIdentity(), key, named)).status).toBe(201)
  const held = await begin(device, since)
  pass(service, 50_000)
  expect(getData(await held.answer)).toMatchObject({ sync: false })
})

test('a node that stops sends away all that wait', async () => {
  const { createDevice, begin, stop } = await startNode()
  const { device, since } = await createDevice()
  const held = await begin(device, since)
  stop()
  expect(getData(await held.answer)).toMatchObject({ sync: false })
  expect((await device.sync()).reply.wait).toBeUndefined()
})

test('the metrics tell how many devices wait, and why others were answered', async () => {
  proves('waits-flood')
  const { createDevice, begin, admin, service, stop, readMetrics } = await startNode({
    DS_WAITS: '2',
  })
  const devices = [await createDevice(), await createDevice(), await createDevice()]
  const [one, other, third] = devices.map(({ device }) => device) as [Device, Device, Device]
  const since = devices.at(-1)?.since
  expect(await readMetrics()).toEqual({
    ...{ waiting: 0, ended: {} },
    reasons: ['news', 'time', 'replaced', 'gone', 'stopping', 'full', 'not-offered'],
  })
  const replaced = await begin(one, since)
  const [first, second] = [await begin(one, since), await begin(other, since)]
  await replaced.answer
  await (await begin(third, since)).answer
  expect(await readMetrics()).toMatchObject({ waiting: 2, ended: { replaced: 1, full: 1 } })
  await admin('POST', `/v3/devices/${one.id}/approve`)
  await first.answer
  expect(await readMetrics()).toMatchObject({ waiting: 1, ended: { news: 1 } })
  pass(service, 60_000)
  await second.answer
  // What it has missed.
  await (await begin(one, since)).answer
  expect(await readMetrics()).toMatchObject({ waiting: 0, ended: { news: 2, time: 1 } })
  const last = await begin(third, since)
  stop()
  await last.answer
  expect(await readMetrics()).toMatchObject({
    ...{ waiting: 0, ended: { news: 2, time: 1, replaced: 1, full: 1, stopping: 1 } },
  })
})

const createVersionOf = (admin: (method: string, to: string, body?: Json) => Promise<Json>) =>
  admin('PUT', '/v3/versions?force=true&maxReach=999999999', {
    ...{ id: '9.0.0', recommended: false, mandatory: false, allowed: true },
    uris: [{ os: 'UNIX', uri: 'https://downloads.example/connector.deb' }],
  })
