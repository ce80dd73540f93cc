/** Changes devices at random, and compares what `device_counts` says of them with the devices. */
import { createRandom } from '../../../test/bed/random.ts'
import type { Driver, Statement } from '../../src/db/database.ts'

const versions = ['4.0.0', '4.1.0']
const platforms = ['UNIX', 'WIN64', 'MAC']
const reports = ['[]', '[{"kind":"reader"}]', '[{"kind":"disk"}]']

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

/** Each as `day version platform blocked approved faulty count`. */
export async function readCounts({ run }: Driver): Promise<{
  readonly counted: readonly string[]
  readonly devices: readonly string[]
}> {
  const columns = 'last_seen_day, version, platform, blocked, approved'
  const read = async (sql: string) =>
    (await run({ sql, params: [] }))
      .map((row) =>
        row.map((value) => (typeof value === 'boolean' ? Number(value) : value)).join(' '),
      )
      .toSorted()
  return {
    counted: await read(`select ${columns}, faulty, count from device_counts`),
    devices: await read(
      `select ${columns}, faults <> '[]', count(*) from devices group by ${columns}, faults <> '[]'`,
    ),
  }
}
