/** Rollouts as time passes: which devices are offered a version, what halts it, and how it ends. */
import { createHash } from 'node:crypto'
import { createManifestName } from '@cardwire/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import type { Statement } from '../src/db/database.ts'
import { createPrometheusMetrics } from '../src/self-hosted/prometheus.ts'
import { getData } from './harness/arrange.ts'
import { createDevice, type Device } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'

const hour = 3_600_000
const day = 24 * hour
const [before, after] = ['4.0.0', '4.1.0']

let ds: InProcess
beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

const admin = async (method: string, path: string, body?: Json) =>
  ds.request(method, path, { token: await ds.login(), ...(body !== undefined && { body }) })

const putVersion = (id: string, changes: Json = {}) =>
  admin('PUT', '/v3/versions?maxReach=999&force=true', {
    ...{ id, recommended: false, mandatory: false, allowed: true },
    uris: [{ os: 'UNIX', uri: `https://downloads.example/${id}.deb` }],
    ...changes,
  })

const stages = [
  { share: 30, holdS: 172_800 },
  { share: 60, holdS: 172_800 },
  { share: 100, holdS: 86_400 },
]

async function createRollout(changes: Json = {}): Promise<string> {
  const id = crypto.randomUUID()
  const body = { version: after, flag: 'recommended', stages, ...changes }
  getData(await admin('PUT', `/v3/rollouts/${id}`, body))
  return id
}

const change = (id: string, state: string, query = 'maxReach=999') =>
  admin('PUT', `/v3/rollouts/${id}/state?${query}`, { state })
const read = async (id: string) => getData(await admin('GET', `/v3/rollouts/${id}`))

/** Two versions, and devices with the earlier one. */
async function createFleet(count: number): Promise<Device[]> {
  const version = getData(await putVersion(before))
  await putVersion(after)
  return Promise.all(Array.from({ length: count }, () => createDevice(ds, version)))
}

/** The devices of the share, decided by the salt of the rollout, which only the database knows. */
async function findReached(id: string, devices: readonly Device[], share: number) {
  const [[salt] = []] = await ds.driver.run({
    sql: 'select salt from rollouts where id = ?',
    params: [id],
  })
  return devices.filter((device) => {
    const hash = createHash('sha256').update(`${salt} ${device.id}`).digest()
    return hash.readUInt32BE(0) / 2 ** 32 < share / 100
  })
}

/** What each of them is offered at a sync. */
async function listOffered(devices: readonly Device[], version = before): Promise<Device[]> {
  const replies = await Promise.all(devices.map((device) => device.sync({ version })))
  return devices.filter((_, at) => replies[at]?.reply.verdict.offer?.version === after)
}

const idsOf = (devices: readonly Device[]) => devices.map(({ id }) => id).toSorted()

/** The time after which versions are read again, whatever has changed. */
const passCache = () => {
  ds.now += 31_000
}

test('a rollout offers its version to the share of each stage, keeps all that it has reached, and then gives it its flag', async () => {
  proves('rollout-stages', 'rollout-bypassed')
  const devices = await createFleet(40)
  const id = await createRollout()
  expect(await listOffered(devices)).toEqual([])
  expect(getData(await change(id, 'running'))).toMatchObject({ state: 'running', stage: 0 })
  const first = await findReached(id, devices, 30)
  expect(first.length).toBeGreaterThan(0)
  expect(idsOf(await listOffered(devices))).toEqual(idsOf(first))
  // The hold time is over, but it is too early to know which devices no longer sync.
  ds.now += 3 * day
  expect(idsOf(await listOffered(devices))).toEqual(idsOf(first))
  ds.now += 2 * day + hour
  const second = await findReached(id, devices, 60)
  expect(idsOf(await listOffered(devices))).toEqual(idsOf(second))
  expect(idsOf(second)).toEqual(expect.arrayContaining(idsOf(first)))
  ds.now += day
  expect(idsOf(await listOffered(devices))).toEqual(idsOf(second))
  ds.now += 4 * day + hour
  expect(await listOffered(devices)).toHaveLength(40)
  expect(getData(await admin('GET', `/v3/versions/${after}`)).recommended).toBe(false)
  ds.now += day
  expect(await listOffered(devices)).toHaveLength(40)
  const { state, evidence } = await read(id)
  expect(state).toBe('finished')
  expect(evidence.reached.devices).toBe(40)
  passCache()
  await listOffered(devices)
  expect(await ds.driver.run({ sql: 'select * from rollout_devices', params: [] })).toEqual([])
  expect((await read(id)).evidence).toEqual(evidence)
  const version = getData(await admin('GET', `/v3/versions/${after}`))
  expect(version).toMatchObject({ recommended: true, mandatory: false, revision: 2 })
  const { items } = getData(await admin('GET', `/v3/versions/${after}/revisions`))
  expect(items[0]).toMatchObject({ revision: 2, operation: 'advanceRollout' })
})

test('a device that a rollout does not reach gets the same policy as without it', async () => {
  proves('rollout-unseen', 'rollout-bypassed')
  const devices = await createFleet(20)
  const sync = async () =>
    Promise.all(
      devices.map(async (device) => {
        const { reply } = await device.sync({ version: before })
        const { verdict, cors, files, state } = reply
        return { verdict, cors, files, state }
      }),
    )
  const without = await sync()
  const id = await createRollout()
  await change(id, 'running')
  const during = await sync()
  const reached = await findReached(id, devices, 30)
  devices.forEach((device, at) => {
    if (!reached.includes(device)) expect(during[at]).toEqual(without[at])
  })
  expect(reached.length).toBeLessThan(20)
})

test('a device says which rollouts it takes part in, and its page which version it is offered', async () => {
  proves('rollout-unseen')
  const devices = await createFleet(20)
  const id = await createRollout()
  await change(id, 'running')
  const reached = await findReached(id, devices, 30)
  const page = await openPageSession(ds)
  for (const device of devices) {
    const { rollouts } = getData(await admin('GET', `/v3/devices/${device.id}`))
    const isReached = reached.includes(device)
    expect(rollouts).toMatchObject([{ id, version: after, flag: 'recommended' }])
    expect(rollouts[0].group === 'reached').toBe(isReached)
    const { text } = await page.get(`devices/${device.id}`)
    expect(text.includes('Version 4.1.0: offered to this device')).toBe(isReached)
    expect(text.includes('Version 4.1.0 is available to install.')).toBe(isReached)
  }
})

test('while a rollout decides about a version, no other device gets it: no download, no required update, no flag', async () => {
  proves('rollout-unseen', 'rollout-bypassed')
  const [device] = await createFleet(1)
  const id = await createRollout()
  expect(getData(await admin('GET', '/v3/versions/latest')).id).toBe(before)
  expect(getData(await admin('GET', '/v3/versions/latest?os=UNIX')).id).toBe(before)
  const download = await ds.request('GET', '/v3/downloads/installers/UNIX')
  expect(download.headers.get('location')).toBe(`https://downloads.example/${before}.deb`)
  // The device has to stop, and is offered nothing later than what all may have.
  await putVersion('3.9.0')
  await putVersion('3.9.0', { allowed: false })
  const { reply } = (await device?.sync({ version: '3.9.0' })) ?? {}
  expect(reply.verdict).toMatchObject({ action: 'stop', offer: { version: before } })
  for (const flag of ['recommended', 'mandatory']) {
    const refused = await putVersion(after, { [flag]: true })
    expect([refused.status, refused.json.code]).toEqual([409, 'version-in-rollout'])
    const patched = await admin('PATCH', `/v3/versions/${after}?maxReach=9`, { [flag]: true })
    expect([patched.status, patched.json.code]).toEqual([409, 'version-in-rollout'])
  }
  const removed = await admin('DELETE', `/v3/versions/${after}`)
  expect([removed.status, removed.json.code]).toEqual([409, 'version-in-rollout'])
  expect((await admin('DELETE', `/v3/rollouts/${id}`)).status).toBe(200)
  expect(getData(await admin('GET', '/v3/versions/latest')).id).toBe(after)
})

test('an application sees no version that a rollout decides about', async () => {
  proves('rollout-unseen', 'rollout-bypassed')
  const { id: orgId } = getData(await admin('PUT', '/v3/organizations', { name: 'Shop' }))
  const { apiKey: apikey } = getData(await admin('PUT', '/v3/labels', { name: 'shop', orgId }))
  const exchanged = await ds.request('GET', '/v3/tokens/application', { headers: { apikey } })
  const readAs = async (token: string) => {
    const { items, total } = getData(await ds.request('GET', '/v3/versions', { token }))
    const { status } = await ds.request('GET', `/v3/versions/${after}`, { token })
    return [items.map((one: Json) => one.id), total, status]
  }
  const application = () => readAs(exchanged.json.data)
  await createFleet(1)
  expect(await application()).toEqual([[after, before], 2, 200])
  const id = await createRollout()
  expect(await application()).toEqual([[before], 1, 404])
  await change(id, 'running')
  expect(await application()).toEqual([[before], 1, 404])
  expect(await readAs(await ds.login())).toEqual([[after, before], 2, 200])
  await change(id, 'finished')
  expect(await application()).toEqual([[after, before], 2, 200])
})

test('the manifest of a version stays as it is while a rollout offers it', async () => {
  proves('one-administrator')
  await createFleet(1)
  const id = await createRollout()
  const token = await ds.login()
  const path = `/v3/installers/${createManifestName(after)}?maxReach=9`
  const body = '{}'
  const headers = { 'content-type': 'application/octet-stream', 'content-length': '2' }
  const upload = async () => {
    const { status, json } = await ds.request('PUT', path, { token, headers, body })
    return [status, json.code]
  }
  const remove = async () => {
    const { status, json } = await ds.request('DELETE', path, { token })
    return [status, json.code]
  }
  expect(await upload()).toEqual([201, undefined])
  expect(await upload()).toEqual([200, undefined])
  await change(id, 'running')
  for (const state of ['running', 'paused']) {
    await change(id, state)
    expect(await upload()).toEqual([409, 'version-in-rollout'])
    expect(await remove()).toEqual([409, 'version-in-rollout'])
  }
  await change(id, 'halted', '')
  expect(await upload()).toEqual([200, undefined])
  expect(await remove()).toEqual([200, undefined])
})

test('a paused rollout stays as it is, a halted one is withdrawn, and a resumed one tests anew', async () => {
  proves('rollout-stages')
  const devices = await createFleet(30)
  const id = await createRollout()
  await change(id, 'running')
  const first = await findReached(id, devices, 30)
  await listOffered(devices)
  expect(getData(await change(id, 'paused')).state).toBe('paused')
  ds.now += 30 * day
  expect(idsOf(await listOffered(devices))).toEqual(idsOf(first))
  expect(getData(await change(id, 'halted', ''))).toMatchObject({
    state: 'halted',
    halt: { who: { name: 'admin' } },
  })
  expect(await listOffered(devices)).toEqual([])
  expect(getData(await change(id, 'running'))).toMatchObject({ state: 'running', stage: 0 })
  expect((await read(id)).evidence.reached.devices).toBe(0)
  expect(idsOf(await listOffered(devices))).toEqual(idsOf(first))
  const finished = await change(id, 'finished')
  expect(getData(finished).state).toBe('finished')
  const again = await change(id, 'running')
  expect([again.status, again.json.code]).toEqual([409, 'rollout-state'])
})

const fault = (kind: string) => ({ kind, detail: 'x', at: '2026-01-01T00:00:00Z' })

test('a rollout halts by itself when its devices have new faults, and says with which numbers', async () => {
  proves('rollout-halts', 'bad-version-everywhere')
  const devices = await createFleet(40)
  const id = await createRollout({ goodRate: 1, badRate: 50 })
  await change(id, 'running')
  const reached = await findReached(id, devices, 30)
  await listOffered(devices)
  for (const device of reached) await device.sync({ version: after, faults: [fault('card-lost')] })
  passCache()
  await listOffered(devices)
  const { state, halt, evidence } = await read(id)
  expect(state).toBe('halted')
  expect(halt).toMatchObject({ who: { subject: 'local' }, failures: reached.length })
  expect(halt.tested).toBe(reached.length)
  expect(evidence.reached).toEqual({
    ...{ devices: reached.length, installed: reached.length, successes: 0 },
    ...{ faults: reached.length, wentBack: 0, silent: 0 },
  })
  const { items } = getData(await admin('GET', '/v3/audit?kind=rollout'))
  expect(items[0]).toMatchObject({ operation: 'haltRollout', id, fields: ['state', 'halt'] })
})

test('a sync gets its reply also when the rollout is removed at that moment', async () => {
  proves('rollout-stages')
  const devices = await createFleet(4)
  const id = await createRollout({ stages: [{ share: 100, holdS: 3600 }] })
  await change(id, 'running')
  const { run } = ds.driver
  Object.assign(ds.driver, {
    run: async (statement: Statement) => {
      if (statement.sql.startsWith('insert into "rollout_devices"'))
        await run({ sql: 'delete from rollouts where id = ?', params: [id] })
      return run(statement)
    },
  })
  for (const device of devices) expect((await device.sync()).status).toBe(200)
})

test('devices without approval take part in no rollout, and what blocked devices reported does not count', async () => {
  proves('rollout-halts', 'bad-version-everywhere')
  await ds.stop()
  ds = await startInProcess({ DS_DEVICE_APPROVAL: 'on' })
  const strangers = await createFleet(30)
  const id = await createRollout({ goodRate: 1, badRate: 50 })
  await change(id, 'running')
  expect(await listOffered(strangers)).toEqual([])
  const fault = { kind: 'pcsc-unavailable', detail: '', at: new Date(ds.now).toISOString() }
  await Promise.all(strangers.map((device) => device.sync({ faults: [fault] })))
  passCache()
  await listOffered(strangers)
  expect(await read(id)).toMatchObject({
    ...{ state: 'running', evidence: { reached: { devices: 0 }, control: { devices: 0 } } },
  })
  const { rollouts } = getData(await admin('GET', `/v3/devices/${strangers[0]?.id}`))
  expect(rollouts).toMatchObject([{ id, group: 'none' }])
  for (const device of strangers) await admin('POST', `/v3/devices/${device.id}/approve`)
  const reached = await listOffered(strangers)
  expect(idsOf(reached)).toEqual(idsOf(await findReached(id, strangers, 30)))
  const [liar] = reached
  await liar?.sync({ faults: [{ ...fault, kind: 'registry-unavailable' }] })
  expect((await read(id)).evidence.reached).toMatchObject({ devices: reached.length, faults: 1 })
  await admin('POST', `/v3/devices/${liar?.id}/block`)
  expect((await read(id)).evidence.reached).toMatchObject({
    ...{ devices: reached.length - 1, faults: 0 },
  })
})

test('a stage with a group reaches devices of it only, and they keep what they have', async () => {
  proves('rollout-stages', 'rollout-groups')
  const devices = await createFleet(20)
  const group = crypto.randomUUID()
  const rules = [{ tags: ['pilot'] }]
  getData(await admin('PUT', `/v3/groups/${group}`, { name: 'Pilot', rules }))
  const pilots = devices.slice(0, 6)
  for (const { id } of pilots) await admin('PUT', `/v3/devices/${id}/tags`, { tags: ['pilot'] })
  const first = { share: 100, holdS: 3600, group }
  const id = await createRollout({ stages: [first, { share: 100, holdS: 86_400 }] })
  expect(getData(await admin('GET', `/v3/rollouts/${id}/reach`))).toMatchObject({
    ...{ reach: 20, first: 6 },
  })
  await change(id, 'running')
  expect(idsOf(await listOffered(devices))).toEqual(idsOf(pilots))
  expect((await admin('DELETE', `/v3/groups/${group}`)).json.code).toBe('group-in-use')
  // A device that leaves the group is no longer offered it, one that enters it is.
  await admin('PUT', `/v3/devices/${pilots[0]?.id}/tags`, { tags: [] })
  expect(idsOf(await listOffered(devices))).toEqual(idsOf(pilots.slice(1)))
  ds.now += 6 * day
  await listOffered(devices)
  passCache()
  expect(await listOffered(devices)).toHaveLength(20)
  const missing = { ...first, group: crypto.randomUUID() }
  const body = { version: after, flag: 'recommended', stages: [missing, { share: 100, holdS: 60 }] }
  const refused = await admin('PUT', `/v3/rollouts/${crypto.randomUUID()}`, body)
  expect([refused.status, refused.json.code]).toEqual([404, 'group-unknown'])
})

test('faults that the other devices get, too, are not those of the version', async () => {
  proves('rollout-halts', 'bad-version-everywhere')
  const devices = await createFleet(40)
  const id = await createRollout({ goodRate: 1, badRate: 50 })
  await change(id, 'running')
  const reached = await findReached(id, devices, 30)
  await listOffered(devices)
  const others = devices.filter((device) => !reached.includes(device))
  for (const device of others) await device.sync({ version: before, faults: [fault('card-lost')] })
  for (const device of reached) await device.sync({ version: after, faults: [fault('card-lost')] })
  passCache()
  await listOffered(others)
  expect((await read(id)).state).toBe('running')
})

test('what struck all devices in one stage does not halt the rollout in the next, where the others are noted anew', async () => {
  proves('rollout-halts', 'bad-version-everywhere')
  const devices = await createFleet(40)
  const [begin, , last] = stages
  const own = [begin, { share: 31, holdS: 172_800 }, last]
  const id = await createRollout({ goodRate: 1, badRate: 50, stages: own })
  await change(id, 'running')
  const first = await findReached(id, devices, 30)
  await listOffered(devices)
  const strike = async () => {
    for (const device of devices) {
      const version = first.includes(device) ? after : before
      await device.sync({ version, faults: [fault('card-lost')] })
    }
    passCache()
  }
  await strike()
  ds.now += 5 * day + hour
  await strike()
  await strike()
  expect(await read(id)).toMatchObject({
    ...{ state: 'running', stage: 1 },
    evidence: { reached: { faults: first.length }, control: { faults: 0 } },
  })
})

test('devices that sync again are successes; those that go back or fall silent are not', async () => {
  proves('rollout-halts', 'bad-version-everywhere')
  const devices = await createFleet(40)
  const id = await createRollout()
  await change(id, 'running')
  const reached = await findReached(id, devices, 30)
  await listOffered(devices)
  const [wellOff, wentBack, gone] = reached
  for (const device of [wellOff, wentBack, gone]) await device?.sync({ version: after })
  ds.now += 8 * hour
  await wellOff?.sync({ version: after })
  await wentBack?.sync({ version: before })
  expect((await read(id)).evidence.reached).toMatchObject({
    ...{ devices: reached.length, installed: 3, successes: 1, wentBack: 1, faults: 0 },
  })
  ds.now += 121 * hour
  await wellOff?.sync({ version: after })
  expect((await read(id)).evidence.reached).toMatchObject({ silent: reached.length - 2 })
  await gone?.sync({ version: after })
  expect((await read(id)).evidence.reached).toMatchObject({
    ...{ silent: reached.length - 3, successes: 2 },
  })
})

/** As `GET /v3/rollouts/{id}/hours` tells them. */
const readHours = async (id: string) => getData(await admin('GET', `/v3/rollouts/${id}/hours`))

test('a rollout tells how it went: each of the latest 48 hours, and the last one of each day before', async () => {
  proves('rollout-hours')
  const devices = await createFleet(40)
  const id = await createRollout({
    stages: [
      { share: 30, holdS: 30 * 86_400 },
      { share: 100, holdS: 60 },
    ],
  })
  await change(id, 'running')
  const reached = await listOffered(devices)
  const [first, second] = reached
  await first?.sync({ version: after })
  ds.now += hour
  await first?.sync({ version: after })
  await second?.sync({ version: after, faults: [fault('card-lost')] })
  passCache()
  await first?.sync({ version: after })
  const { hours, halt, accept } = await readHours(id)
  expect([halt, accept]).toEqual([expect.any(Number), expect.any(Number)])
  expect(hours).toEqual([
    {
      ...{ at: '2026-01-01T00:00:00.000Z', offered: 0, installed: 0, successes: 0, failures: 0 },
      ...{ silent: 0, ratio: 0 },
    },
    {
      ...{ at: '2026-01-01T01:00:00.000Z', offered: reached.length, installed: 2, successes: 1 },
      ...{ failures: 1, silent: 0, ratio: expect.any(Number) },
    },
  ])
  expect(hours[1].ratio).toBe(Math.round((await read(id)).evidence.test.ratio * 1000) / 1000)
  for (let n = 0; n < 75; n += 1) {
    ds.now += hour
    await first?.sync({ version: after })
  }
  const later = (await readHours(id)).hours.map(({ at }: Json) => at)
  expect(later).toHaveLength(49)
  expect(later.slice(0, 3)).toEqual([
    ...['2026-01-01T23:00:00.000Z', '2026-01-02T05:00:00.000Z', '2026-01-02T06:00:00.000Z'],
  ])
  expect(later.at(-1)).toBe('2026-01-04T04:00:00.000Z')
})

test('the hours of a rollout start over when it does after a halt, and go with it', async () => {
  proves('rollout-hours')
  const devices = await createFleet(10)
  const id = await createRollout()
  await change(id, 'running')
  await listOffered(devices)
  ds.now += hour
  await listOffered(devices)
  const { hours } = await readHours(id)
  expect(hours).toHaveLength(2)
  await change(id, 'paused')
  await change(id, 'running')
  expect((await readHours(id)).hours).toEqual(hours)
  await change(id, 'halted')
  expect((await readHours(id)).hours).toEqual(hours)
  await change(id, 'running')
  expect((await readHours(id)).hours).toEqual([])
  await listOffered(devices)
  expect((await readHours(id)).hours).toHaveLength(1)
  await change(id, 'halted')
  expect((await admin('DELETE', `/v3/rollouts/${id}`)).status).toBe(200)
  expect((await admin('GET', `/v3/rollouts/${id}/hours`)).json.code).toBe('rollout-unknown')
  expect(await ds.driver.run({ sql: 'select * from rollout_hours', params: [] })).toEqual([])
})

test('what was counted before a rollout starts over is not noted afterward', async () => {
  proves('rollout-hours')
  const devices = await createFleet(10)
  const id = await createRollout()
  await change(id, 'running')
  await listOffered(devices)
  const { run } = ds.driver
  Object.assign(ds.driver, {
    run: async (statement: Statement) => {
      if (statement.sql.startsWith('insert into "rollout_hours"')) {
        Object.assign(ds.driver, { run })
        await change(id, 'halted')
        await change(id, 'running')
      }
      return run(statement)
    },
  })
  ds.now += hour
  await listOffered(devices)
  expect((await readHours(id)).hours).toEqual([])
})

test('a rollout halts also where its hours cannot be stored, and is counted without a write while nothing changes', async () => {
  proves('rollout-halts', 'rollout-hours')
  const devices = await createFleet(40)
  const id = await createRollout({ goodRate: 1, badRate: 50 })
  await change(id, 'running')
  const reached = await listOffered(devices)
  passCache()
  await listOffered(devices)
  const { run } = ds.driver
  const written: string[] = []
  Object.assign(ds.driver, {
    run: async (statement: Statement) => {
      if (!statement.sql.startsWith('insert into "rollout_hours"')) return run(statement)
      written.push(statement.sql)
      throw new Error('the disk is full')
    },
  })
  passCache()
  await listOffered(devices)
  expect(written).toEqual([])
  for (const device of reached) await device.sync({ version: after, faults: [fault('card-lost')] })
  passCache()
  await listOffered(devices)
  expect(written).toHaveLength(1)
  expect((await read(id)).state).toBe('halted')
})

test('a rollout that reaches more devices than was confirmed does not start', async () => {
  proves('affected-known')
  await createFleet(3)
  const id = await createRollout()
  expect(getData(await admin('GET', `/v3/rollouts/${id}/reach`))).toEqual({
    ...{ reach: 3, first: 1, isLarge: true },
  })
  const refused = await change(id, 'running', 'maxReach=2')
  expect([refused.status, refused.json.code, refused.json.reach]).toEqual([
    409,
    'reach-exceeded',
    3,
  ])
  expect((await read(id)).state).toBe('draft')
  expect((await change(id, 'running', 'maxReach=3')).status).toBe(200)
})

test.each([
  [
    'a share that falls',
    {
      stages: [
        { share: 50, holdS: 60 },
        { share: 10, holdS: 60 },
      ],
    },
  ],
  ['a last share below 100', { stages: [{ share: 50, holdS: 60 }] }],
  ['no stages', { stages: [] }],
  [
    'a share of nothing',
    {
      stages: [
        { share: 0, holdS: 60 },
        { share: 100, holdS: 60 },
      ],
    },
  ],
  ['no hold time', { stages: [{ share: 100, holdS: 0 }] }],
  ['rates the wrong way round', { goodRate: 5, badRate: 4 }],
  ['an unknown flag', { flag: 'allowed' }],
])('%s is refused', async (_, changes) => {
  proves('rollout-stages')
  await createFleet(0)
  const body = { version: after, flag: 'recommended', stages, ...changes }
  const { status, json } = await admin('PUT', `/v3/rollouts/${crypto.randomUUID()}`, body)
  expect([status, json.code]).toEqual([422, 'input-invalid'])
})

test('a version has one rollout, which is changed only before it starts', async () => {
  proves('rollout-unseen', 'rollout-bypassed')
  await createFleet(0)
  const id = await createRollout()
  const other = await admin('PUT', `/v3/rollouts/${crypto.randomUUID()}`, {
    ...{ version: after, flag: 'mandatory', stages },
  })
  expect([other.status, other.json.code]).toEqual([409, 'rollout-taken'])
  const body = { version: after, flag: 'mandatory', stages }
  expect(getData(await admin('PUT', `/v3/rollouts/${id}`, body))).toMatchObject({
    ...{ flag: 'mandatory', revision: 2 },
  })
  await change(id, 'running')
  const changed = await admin('PUT', `/v3/rollouts/${id}`, body)
  expect([changed.status, changed.json.code]).toEqual([409, 'rollout-started'])
  const removed = await admin('DELETE', `/v3/rollouts/${id}`)
  expect([removed.status, removed.json.code]).toEqual([409, 'rollout-state'])
  await change(id, 'halted')
  expect((await admin('DELETE', `/v3/rollouts/${id}`)).status).toBe(200)
  await putVersion('4.2.0', { recommended: true })
  await putVersion('4.3.0', { allowed: false })
  for (const version of ['4.2.0', '4.3.0']) {
    const { status, json } = await admin('PUT', `/v3/rollouts/${crypto.randomUUID()}`, {
      ...{ version, flag: 'recommended', stages },
    })
    expect([status, json.code]).toEqual([409, 'version-unsuitable'])
  }
})

test('while the devices of a rollout are counted in the background, syncs are answered; what came of it is seen by the next one', async () => {
  proves('rollout-halts')
  const started: (() => Promise<void>)[] = []
  await ds.stop()
  ds = await startInProcess({}, undefined, { runInBackground: (work) => void started.push(work) })
  const runNext = () => started.shift()?.()
  const devices = await createFleet(40)
  const id = await createRollout({ goodRate: 1, badRate: 50 })
  await change(id, 'running')
  const reached = await findReached(id, devices, 30)
  await listOffered(devices)
  await runNext()
  for (const device of reached) await device.sync({ version: after, faults: [fault('card-lost')] })
  passCache()
  expect(idsOf(await listOffered(devices))).toEqual(idsOf(reached))
  passCache()
  await listOffered(devices)
  // One at a time, however often the versions are read meanwhile.
  expect(started).toHaveLength(1)
  expect((await read(id)).state).toBe('running')
  await runNext()
  expect(await listOffered(devices)).toEqual([])
  expect(await read(id)).toMatchObject({ state: 'halted', halt: { who: { subject: 'local' } } })
})

/** Halted with the results of three devices. */
async function createHalted(): Promise<string> {
  const devices = await createFleet(40)
  const id = await createRollout()
  await change(id, 'running')
  for (const device of (await listOffered(devices)).slice(0, 3))
    await device.sync({ version: after })
  await change(id, 'halted')
  return id
}

/** Resumes the rollout at the moment in which the service begins to forget its devices. */
function resumeMeanwhile(id: string): void {
  const { run } = ds.driver
  Object.assign(ds.driver, {
    run: async (statement: Statement) => {
      if (statement.sql.startsWith('delete from "rollout_devices"')) {
        Object.assign(ds.driver, { run })
        const sql = "update rollouts set state = 'running', revision = revision + 1 where id = ?"
        await run({ sql, params: [id] })
      }
      return run(statement)
    },
  })
}

test.each([
  ['a removal', (id: string) => admin('DELETE', `/v3/rollouts/${id}`), 412],
  ['a second resumption', (id: string) => change(id, 'running'), 200],
])('%s that comes too late forgets no device', async (_, act, status) => {
  proves('rollout-halts')
  const id = await createHalted()
  const { reached } = (await read(id)).evidence
  expect(reached.installed).toBe(3)
  resumeMeanwhile(id)
  expect((await act(id)).status).toBe(status)
  expect(await read(id)).toMatchObject({ state: 'running', evidence: { reached } })
})

test('of rollouts that start at the same time, no more than 20 run', async () => {
  proves('rollout-stages')
  await createFleet(0)
  const ids: string[] = []
  const token = await ds.login()
  for (let n = 0; n < 22; n += 1) {
    const version = `4.2.${n}`
    const id = crypto.randomUUID()
    const uris = [{ os: 'UNIX', uri: `https://downloads.example/${version}.deb` }]
    const flags = { recommended: false, mandatory: false, allowed: true }
    const body = { version, flag: 'recommended', stages }
    getData(
      await ds.request('PUT', '/v3/versions', { token, body: { id: version, ...flags, uris } }),
    )
    getData(await ds.request('PUT', `/v3/rollouts/${id}`, { token, body }))
    ids.push(id)
  }
  const move = (id: string, state: string) =>
    ds.request('PUT', `/v3/rollouts/${id}/state?maxReach=0`, { token, body: { state } })
  const replies = await Promise.all(ids.map((id) => move(id, 'running')))
  const isRefused = (_: string, at: number) => replies[at]?.status !== 200
  const [late = '', ...others] = ids.filter(isRefused)
  expect(others).toHaveLength(1)
  expect(replies.find(({ status }) => status !== 200)).toMatchObject({
    ...{ status: 409, json: { code: 'rollout-state' } },
  })
  const listRunning = async () =>
    getData(await ds.request('GET', '/v3/rollouts?size=100', { token })).items.filter(
      ({ state }: Json) => state === 'running',
    )
  expect(await listRunning()).toHaveLength(20)
  // One that is halted makes room, and needs it to run again.
  const [{ id: halted }] = await listRunning()
  expect((await move(halted, 'halted')).status).toBe(200)
  expect((await move(late, 'running')).status).toBe(200)
  expect((await move(halted, 'running')).json.code).toBe('rollout-state')
  expect(await listRunning()).toHaveLength(20)
})

test('the metrics tell how many rollouts run, how far they are, and how many the service has halted', async () => {
  proves('rollout-halts')
  await ds.stop()
  ds = await startInProcess({}, undefined, { metrics: createPrometheusMetrics() })
  /** Until it is counted anew. */
  const readMetrics = async () => {
    const token = await ds.login()
    const { text } = await ds.request('GET', '/metrics', { token })
    return text.split('\n').filter((line) => line.startsWith('cardwire_ds_rollout'))
  }
  const devices = await createFleet(40)
  const id = await createRollout({ goodRate: 1, badRate: 50 })
  const none = ['running', 'paused', 'halted'].map(
    (state) => `cardwire_ds_rollouts{state="${state}"} 0`,
  )
  await expect.poll(readMetrics).toEqual(['cardwire_ds_rollout_halts_total 0', ...none])
  await change(id, 'running')
  const reached = await listOffered(devices)
  await expect
    .poll(readMetrics)
    .toEqual([
      'cardwire_ds_rollout_halts_total 0',
      'cardwire_ds_rollouts{state="running"} 1',
      ...none.slice(1),
      'cardwire_ds_rollout_share{version="4.1.0"} 0.3',
      'cardwire_ds_rollout_test_ratio{version="4.1.0"} 0',
    ])
  for (const device of reached) await device.sync({ version: after, faults: [fault('card-lost')] })
  passCache()
  await listOffered(devices)
  await expect
    .poll(readMetrics)
    .toEqual([
      'cardwire_ds_rollout_halts_total 1',
      ...none.slice(0, 2),
      'cardwire_ds_rollouts{state="halted"} 1',
    ])
})
