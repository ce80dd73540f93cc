/** Unique devices in a database of any engine: the key of a month, and what is left of a month that is over. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { webRandom } from '../../src/assemble.ts'
import { createVault } from '../../src/auth/keys/vault.ts'
import { createDatabase, createReader, type Driver } from '../../src/db/database.ts'
import { countDevices, foldMonth } from '../../src/db/unique-devices.ts'
import { createUseListing } from '../../src/sync/unique-devices.ts'

export function foldedMonthSuite(open: () => Promise<Driver & { close(): unknown }>): void {
  let driver: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    driver = await open()
  })
  afterAll(() => driver?.close())

  const services = () => ({ db: createDatabase(driver), reader: createReader(driver) })
  const run = (sql: string) => driver.run({ sql, params: [] })
  /** Devices of a month, each with its own label of ten. */
  const insertDevices = (month: string, count: number) =>
    run(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
      insert into use_devices select '${month}', 'hash' || n, 'label' || (n % 10) from numbers`)
  const left = async (month: string) => {
    const [[rows] = []] = await run(`select count(*) from use_devices where month = '${month}'`)
    return Number(rows)
  }
  const march = Date.UTC(2026, 2, 1)
  const counts = async (month: string) =>
    (await countDevices(services().reader, month, march))
      ?.map(({ scope, id, devices }) => `${scope} ${id} ${devices}`)
      .toSorted()

  test('a month is folded to its counts at once, and its devices are deleted in parts', async () => {
    proves('unique-devices-folded')
    await insertDevices('2026-01', 2500)
    await run("insert into use_devices values ('2026-02', 'hash1', 'label1')")
    await run("insert into use_keys values ('2026-01', 'sealed'), ('2026-02', 'sealed')")
    const expected = [
      ...['label label0 250', 'label label1 250', 'label label2 250', 'label label3 250'],
      ...['label label4 250', 'label label5 250', 'label label6 250', 'label label7 250'],
      ...['label label8 250', 'label label9 250', 'organization  2500', 'total  2500'],
    ]
    expect(await counts('2026-01')).toEqual(expected)
    // In February nothing is folded.
    expect(await foldMonth(services(), march - 1)).toBe(false)
    expect(await left('2026-01')).toBe(2500)
    for (const rows of [1500, 500, 0]) {
      expect(await foldMonth(services(), march)).toBe(true)
      expect(await left('2026-01')).toBe(rows)
      expect(await counts('2026-01')).toEqual(expected)
    }
    expect(await foldMonth(services(), march)).toBe(false)
    expect([await left('2026-02'), await run('select month from use_keys')]).toEqual([
      1,
      [['2026-02']],
    ])
  })

  test('a month that several processes fold at once has the counts of all its devices', async () => {
    proves('unique-devices-folded')
    await insertDevices('2025-12', 2500)
    await Promise.all(Array.from({ length: 6 }, () => foldMonth(services(), march)))
    expect(await counts('2025-12')).toContain('total  2500')
    expect(await left('2025-12')).toBeLessThan(2500)
  })

  test('processes that need the key of a month at once get the same, and another month has another', async () => {
    proves('use-reidentified')
    const secret = new Uint8Array(randomBytes(32))
    const vault = await createVault(secret, webRandom)
    const hash = async (day: string) => {
      const list = createUseListing({ db: services().db, vault, random: webRandom })
      const entries = [{ label: 'shop', module: 'eid', useCase: 'print' as const, day, count: 1 }]
      const used = await list('fingerprint', [{ id: 'one', entries }], march, (day) => day)
      return used.map((row) => row.hash).join()
    }
    const [april, may] = ['2026-04-01', '2026-05-01']
    const hashes = await Promise.all([april, april, april, april, may, may].map(hash))
    expect(new Set(hashes.slice(0, 4)).size).toBe(1)
    expect(new Set(hashes).size).toBe(2)
    expect(await hash('2026-01-31')).toBe('')
  })
}
