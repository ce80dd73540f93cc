/** Changes devices at random, and compares what `device_counts` and `device_fault_counts` say of them with the devices. */
import { createRandom } from '../../../test/bed/random.ts'
import type { Driver, Statement } from '../../src/db/database.ts'

const versions = ['4.0.0', '4.1.0']
const platforms = ['UNIX', 'WIN64', 'MAC']
const reports = [
  '[]',
  '[{"kind":"reader"}]',
  // Two that a text of PostgreSQL cannot have.
  '[{"kind":"reader","detail":"\\u0000\\ud800"}]',
  '[{"kind":"disk"},{"kind":"reader"}]',
  '[{"kind":"disk"},{"kind":"disk"}]',
]

/** Statements that register, report, block, approve, renew and remove devices, some of which change nothing. `owner`: of the ids. */
export function createDeviceChanges(
  seed: number,
  count: number,
  owner = 'd',
): readonly Statement[] {
  const random = createRandom(seed)
  const pickId = () => `${owner}${random.integer(1, 40)}`
  const pickKind = () => [
    random.integer(20_000, 20_003),
    random.pick(versions),
    random.pick(platforms),
    random.pick(reports),
  ]
  const create = [
    () => {
      const id = pickId()
      return {
        sql: `insert into devices (last_seen_day, version, platform, faults, id, fingerprint, key, device, "user", blocked, approved,
          registrations, registered_at, created_at, asserted_at, last_seen_at, revision)
          values (?, ?, ?, ?, ?, ?, '{}', '{}', '{}', ${random.pick(['true', 'false'])}, ${random.pick(['true', 'false'])}, 1, 1, 1, 1, 1, 1)
          on conflict (fingerprint) do update set version = excluded.version, last_seen_day = excluded.last_seen_day`,
        params: [...pickKind(), id, id],
      }
    },
    () => ({
      sql: 'update devices set last_seen_day = ?, version = ?, platform = ?, faults = ? where id = ?',
      params: [...pickKind(), pickId()],
    }),
    // One column: a trigger names the columns that it watches.
    () => {
      const [day, version, platform, faults] = pickKind()
      const [column, value] = random.pick([
        ['last_seen_day', day],
        ['version', version],
        ['platform', platform],
        ['faults', faults],
      ] as const)
      return { sql: `update devices set ${column} = ? where id = ?`, params: [value, pickId()] }
    },
    () => ({ sql: 'update devices set blocked = not blocked where id = ?', params: [pickId()] }),
    () => ({ sql: 'update devices set approved = true where id = ?', params: [pickId()] }),
    () => ({ sql: 'delete from devices where id = ?', params: [pickId()] }),
  ]
  return Array.from({ length: count }, () => random.pick(create)())
}

/** Reads rows as lines, sorted. */
const readLines = async ({ run }: Driver, sql: string): Promise<readonly string[]> =>
  (await run({ sql, params: [] }))
    .map((row) =>
      row.map((value) => (typeof value === 'boolean' ? Number(value) : value)).join(' '),
    )
    .toSorted()

/** Each as `day version platform blocked approved faulty count`. */
export async function readCounts(driver: Driver): Promise<{
  readonly counted: readonly string[]
  readonly devices: readonly string[]
}> {
  const columns = 'last_seen_day, version, platform, blocked, approved'
  return {
    counted: await readLines(driver, `select ${columns}, faulty, count from device_counts`),
    devices: await readLines(
      driver,
      `select ${columns}, faults <> '[]', count(*) from devices group by ${columns}, faults <> '[]'`,
    ),
  }
}

/** Each as `day version kind blocked approved count`, by the counts and by the devices. */
export async function readFaultCounts(driver: Driver): Promise<{
  readonly counted: readonly string[]
  readonly devices: readonly string[]
}> {
  const rows = await driver.run({
    sql: 'select last_seen_day, version, faults, blocked, approved from devices',
    params: [],
  })
  const counts = new Map<string, number>()
  for (const [day, version, faults, blocked, approved] of rows) {
    const kinds = (JSON.parse(String(faults)) as { kind: string }[]).map(({ kind }) => kind)
    for (const kind of new Set(kinds)) {
      const key = `${day} ${version} ${kind} ${Number(blocked)} ${Number(approved)}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return {
    counted: await readLines(
      driver,
      'select last_seen_day, version, kind, blocked, approved, count from device_fault_counts',
    ),
    devices: [...counts].map(([key, count]) => `${key} ${count}`).toSorted(),
  }
}
