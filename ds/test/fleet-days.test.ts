/** The devices of each day, as time passes. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createApp } from '../src/app.ts'
import { clockReadings, fleetDays } from '../src/db/schema.ts'
import { createFleetDayCount } from '../src/sync/fleet-days.ts'
import { createUnseenDeviceRemoval } from '../src/sync/remove-unseen-devices.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'
import { readHidden, readRows } from './harness/page-text.ts'

const day = 86_400_000

let ds: InProcess
beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

const admin = async (method: string, path: string, body?: Json): Promise<Json> =>
  (await ds.request(method, path, { token: await ds.login(), ...(body !== undefined && { body }) }))
    .json.data
const aVersion = (id: string): Promise<Json> =>
  admin('PUT', '/v3/versions?maxReach=99', {
    id,
    uris: [],
    recommended: false,
    mandatory: false,
    allowed: true,
  })
/** `day version platform count` of each row. */
const listDays = async (query = '') =>
  (await admin('GET', `/v3/devices/summary${query}`)).days.map((row: Json) =>
    Object.values(row).join(' '),
  )

test('a day keeps what its devices were when the next one began', async () => {
  const [older, newer] = [await aVersion('4.0.0'), await aVersion('4.1.0')]
  const [one, two] = [await createDevice(ds, older), await createDevice(ds, older)]
  const windows = await createDevice(ds, older, { platform: 'WIN64' })
  for (const device of [one, two, windows]) await device.sync()
  ds.now += day
  await one.sync({ version: newer.id })
  await two.sync()
  const first = ['2026-01-01 4.0.0 UNIX 2', '2026-01-01 4.0.0 WIN64 1']
  const second = ['2026-01-02 4.0.0 UNIX 1', '2026-01-02 4.1.0 UNIX 1']
  expect(await listDays()).toEqual([...first, ...second])
  // Nobody comes for two days.
  ds.now += 3 * day
  await one.sync({ version: newer.id })
  expect(await listDays()).toEqual([...first, ...second, '2026-01-05 4.1.0 UNIX 1'])
  expect(await listDays('?days=4')).toEqual([...second, '2026-01-05 4.1.0 UNIX 1'])
})

test('a device that was not seen for a week is silent', async () => {
  const version = await aVersion('4.0.0')
  const [here, away] = [await createDevice(ds, version), await createDevice(ds, version)]
  await away.sync()
  ds.now += 8 * day
  await here.sync()
  expect(await admin('GET', '/v3/devices/summary')).toMatchObject({ devices: 2, silent: 1 })
})

test('the summary and the overview count devices that have stopped and have nothing to update to', async () => {
  proves('stopped-devices-shown')
  const version = await aVersion('4.0.0')
  const devices = [
    await createDevice(ds, version),
    await createDevice(ds, version),
    await createDevice(ds, version, { platform: 'WIN64' }),
  ]
  for (const device of devices) await device.sync()
  const read = async () => (await admin('GET', '/v3/devices/summary')).withoutInstaller
  const session = await openPageSession(ds)
  const note = 'Add installers for devices whose connector has stopped'
  expect([await read(), (await session.get('')).text.includes(note)]).toEqual([0, false])
  const required = {
    ...{ id: '4.1.0', recommended: false, mandatory: true, allowed: true },
    uris: [{ os: 'WIN64', uri: 'https://files.example/cardwire.msi' }],
  }
  await admin('PUT', '/v3/versions?force=true&maxReach=99', required)
  expect(await read()).toBe(2)
  expect((await session.get('')).text).toMatch(new RegExp(`${note}</a> \\(2\\)`))
  await admin('PATCH', '/v3/versions/4.1.0?maxReach=99', { allowed: false })
  expect(await read()).toBe(0)
  await admin('PATCH', '/v3/versions/4.0.0?maxReach=99', { allowed: false })
  expect(await read()).toBe(3)
})

test('a review says how many devices that have stopped before have no installer afterwards, as its table does', async () => {
  proves('stopping-devices-confirmed', 'fleet-stopped')
  const [blocked, other] = [await aVersion('4.0.0'), await aVersion('4.0.1')]
  for (const version of [blocked, blocked, other, other, other]) await createDevice(ds, version)
  const toUris = (os: string) => ({ uris: [{ os, uri: 'https://files.example/cardwire' }] })
  await admin('PATCH', '/v3/versions/4.0.1?maxReach=99', toUris('UNIX'))
  await admin('PATCH', '/v3/versions/4.0.0?maxReach=99', { allowed: false })
  await aVersion('4.1.0')
  await admin('PATCH', '/v3/versions/4.1.0?maxReach=99', toUris('WIN64'))
  const session = await openPageSession(ds)
  const page = 'versions/4.1.0/flags'
  const etag = readHidden((await session.get(page)).text, 'etag')
  const { text } = await session.post(page, { mandatory: 'on', allowed: 'on', etag })
  expect(text).toContain(
    'The connector will stop on 3 devices. No installer is available for any of them.',
  )
  expect(text).toContain(
    'No installer will be available for 2 devices whose connectors have already stopped.',
  )
  expect(readRows(text).filter((row) => row.endsWith('No installer'))).toEqual([
    '4.0.1 Linux 3 No update needed Update required No installer',
    '4.0.0 Linux 2 Version blocked Version blocked No installer',
  ])
})

test('a device that waits for approval is not inactive', async () => {
  const away = await createDevice(ds, await aVersion('4.0.0'))
  await away.sync()
  await ds.driver.run({ sql: 'update devices set approved = false', params: [] })
  ds.now += 8 * day
  expect(await admin('GET', '/v3/devices/summary')).toMatchObject({ waiting: 1, silent: 0 })
})

test('several nodes count a day once', async () => {
  const device = await createDevice(ds, await aVersion('4.0.0'))
  await device.sync()
  ds.now += day
  const nodes = [createFleetDayCount(ds.services), createFleetDayCount(ds.services)]
  for (const count of nodes) await count(ds.now)
  expect(await ds.services.db.select().from(fleetDays)).toMatchObject([{ count: 1 }])
})

test('a day that cannot be counted fails no synchronization, and is counted with the next first one', async () => {
  const version = await aVersion('4.0.0')
  const [one, two] = [await createDevice(ds, version), await createDevice(ds, version)]
  let fails = true
  const { db } = ds.services
  const app = createApp({
    ...ds.services,
    db: {
      ...db,
      select: ((...of: Parameters<typeof db.select>) => {
        if (fails && 'last' in (of[0] ?? {})) throw new Error('the disk is full')
        return db.select(...of)
      }) as typeof db.select,
      insert: db.insert.bind(db),
      update: db.update.bind(db),
      delete: db.delete.bind(db),
      batch: db.batch.bind(db),
    },
  })
  ds.now += day
  const sync = async ({ createAssertion }: typeof one) => {
    const body = JSON.stringify({ version: version.id, platform: 'UNIX' })
    const headers = {
      authorization: `Bearer ${await createAssertion(body)}`,
      'content-type': 'application/json',
    }
    return (await app.request('/v3/devices/sync', { method: 'POST', headers, body })).status
  }
  expect(await sync(one)).toBe(200)
  fails = false
  expect(await sync(two)).toBe(200)
  expect(await listDays()).toContain('2026-01-01 4.0.0 UNIX 1')
})

test('days stay, and others are added, after the clock was two years ahead', async () => {
  const device = await createDevice(ds, await aVersion('4.0.0'))
  const syncOn = async (later: number) => {
    ds.now += later
    await device.sync()
  }
  await syncOn(0)
  await syncOn(day)
  for (const jump of [730 * day, day, -731 * day]) await syncOn(jump)
  await syncOn(day)
  await syncOn(day)
  const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']
  expect(await listDays()).toEqual(days.map((date) => `${date} 4.0.0 UNIX 1`))
})

test('days are removed with the devices that are not seen', async () => {
  const { db } = ds.services
  const today = Math.floor(ds.now / day)
  const old = { version: '4.0.0', platform: 'UNIX', count: 7 } as const
  await db.insert(fleetDays).values([
    { day: today - 401, ...old },
    { day: today - 400, ...old },
  ])
  await db.insert(clockReadings).values({ id: 1, day: today, steadySince: today - 14 })
  await createUnseenDeviceRemoval(ds.services)(ds.now)
  expect(await db.select({ day: fleetDays.day }).from(fleetDays)).toEqual([{ day: today - 400 }])
})
