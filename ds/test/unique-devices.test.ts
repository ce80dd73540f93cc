/** Unique devices as time passes, and in a database of SQLite. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import { clockReadings } from '../src/db/schema.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { createLabel, createVersion } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { foldedMonthSuite } from './harness/folded-months.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

describe('in a database', () => {
  let folder: string
  foldedMonthSuite(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-months-'))
    const driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
    await applyMigrations(driver)
    return driver
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
})

describe('as time passes', () => {
  let ds: InProcess
  beforeEach(async () => {
    ds = await startInProcess()
  })
  afterEach(() => ds.stop())

  const dayMs = 86_400_000
  /** The clock moves to a day; `isSteady`: it has not jumped. */
  const goTo = async (date: string, isSteady = true) => {
    ds.now = Date.parse(date)
    const day = ds.now / dayMs
    const set = { day, steadySince: isSteady ? 0 : day }
    await ds.services.db
      .insert(clockReadings)
      .values({ id: 1, ...set })
      .onConflictDoUpdate({ target: clockReadings.id, set })
  }
  const report = async (month: string) => {
    const path = `/v3/counters/organizations?month=${month}`
    const { json } = await ds.request('GET', path, { token: await ds.login() })
    const { uses, devices, items } = json.data
    return [uses, devices, items.map((item: Json) => [item.uses, item.devices, item.labels.length])]
  }
  const read = (sql: string) => ds.driver.run({ sql, params: [] })
  const rows = () => read('select month, count(*) from use_devices group by month order by month')

  test('a month keeps its counts, and two months later neither its devices nor its key', async () => {
    proves('unique-devices-folded', 'use-reidentified')
    const token = await ds.login()
    const { id: first, orgId } = await createLabel(ds, token)
    const { id: second } = await createLabel(ds, token, { orgId })
    const version = await createVersion(ds, token)
    const [one, two] = [await createDevice(ds, version), await createDevice(ds, version)]
    const batch = (day: string, ...names: string[]) => ({
      id: crypto.randomUUID(),
      entries: names.map((label) => ({
        ...{ label, module: 'eid', useCase: 'print', day, count: 1 },
      })),
    })
    await one.sync({ batches: [batch('2026-01-01', first, second)] })
    await two.sync({ batches: [batch('2026-01-01', first)] })
    await goTo('2026-02-28')
    await one.sync({ batches: [batch('2026-02-28', first)] })
    const january = [3, 2, [[3, 2, 2]]]
    expect([await report('2026-01'), await rows()]).toEqual([
      january,
      [
        ['2026-01', 3],
        ['2026-02', 1],
      ],
    ])
    await goTo('2026-03-01', false)
    await two.sync()
    expect(await rows()).toHaveLength(2)
    await goTo('2026-03-02')
    await one.sync()
    expect([await report('2026-01'), await rows()]).toEqual([january, [['2026-02', 1]]])
    expect(await read('select month from use_keys')).toEqual([['2026-02']])
    await two.sync({ batches: [batch('2026-01-31', second)] })
    expect(await report('2026-01')).toEqual([4, 2, [[4, 2, 2]]])
  })
})
