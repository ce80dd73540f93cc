/** PostgreSQL: a server that runs already, or one that is started for the measurement. */
import { readFileSync } from 'node:fs'
import { startPostgres } from '../../test/bed/postgres.ts'
import type { Statement } from '../src/db/database.ts'
import { openPostgres, type PostgresDriver } from '../src/db/postgres.ts'
import { parseDatabaseAddress } from '../src/rules/database-address.ts'
import { bareTable, startBareSync } from './bare-sync.ts'
import { columns, createRestOfRow, createRolloutDevices, type DeviceRow } from './devices-rows.ts'
import type { Engine } from './engine.ts'
import { createLabelRows } from './labels.ts'
import { readProcessorUs, readProcessorUsOfAll } from './processor.ts'

/** A server of its own, which keeps what it acknowledges as one in operation does. */
export async function startPostgresEngine(): Promise<Engine> {
  const server = await startPostgres(undefined, { fsync: 'on' })
  const engine = await openPostgresEngine(await server.createDatabase())
  return {
    ...engine,
    async close() {
      await engine.close()
      await server.remove()
    },
  }
}

export async function openPostgresEngine(database: string): Promise<Engine> {
  const driver = openAddress(database)
  const readServerUs = await findServer(driver)
  return {
    database,
    isShared: true,
    async store(rows: readonly DeviceRow[]) {
      const lists = [rows.map(({ id }) => id), rows.map((row) => row.fingerprint)]
      const others = [rows.map(({ key }) => key), rows.map(({ device = '{}' }) => device)]
      await driver.run(insertDevices([...lists, ...others]))
      await driver.run({ sql: 'analyze devices', params: [] })
    },
    async storeLabels(count) {
      const rows = createLabelRows(count)
      await driver.batch(insertLabels(rows))
      return rows.map(({ apiKey }) => apiKey)
    },
    async storeRolloutDevices(rolloutId, count) {
      await driver.run({ sql: createRolloutDevices(count), params: [rolloutId] })
    },
    async startBare(folder) {
      await driver.transaction(async (run) => {
        await run(copyDevices)
      })
      return startBareSync(folder, import.meta.resolve('./bare-sync-postgres.ts'), database)
    },
    async readSize() {
      const [row] = await driver.run({ sql: selectSize, params: [] })
      return Number(row?.[0])
    },
    ...(readServerUs && { readServerUs }),
    close: driver.close,
  }
}

/** A driver such as the service has. */
export function openAddress(database: string): PostgresDriver {
  const address = parseDatabaseAddress(database)
  if (address.kind !== 'postgres') throw new Error('Cannot open the database: it is a file')
  return openPostgres(address.address)
}

const insertDevices = (lists: readonly (readonly string[])[]): Statement => ({
  sql: `insert into devices (${columns}) select id, fingerprint, key, device, ${createRestOfRow(Date.now())}
    from unnest(cast(? as text[]), cast(? as text[]), cast(? as text[]), cast(? as text[])) as new (id, fingerprint, key, device)`,
  params: lists,
})

const insertLabels = (rows: ReturnType<typeof createLabelRows>): readonly Statement[] => [
  // Their organization is the one that `registerBenchData` makes. A key without a label opens nothing.
  {
    sql: `insert into labels (id, name, org_id, created_at, updated_at)
      select id, id, 'bench', ${Date.now()}, ${Date.now()} from unnest(cast(? as text[])) as new (id)`,
    params: [rows.map(({ id }) => id)],
  },
  {
    sql: `insert into consumers (kind, id, created_at)
      select 'application', id, ${Date.now()} from unnest(cast(? as text[])) as new (id)`,
    params: [rows.map(({ id }) => id)],
  },
  {
    sql: `insert into api_keys (hash, kind, consumer_id, created_at)
      select hash, 'application', id, ${Date.now()}
      from unnest(cast(? as text[]), cast(? as text[])) as new (hash, id)`,
    params: [rows.map(({ hash }) => hash), rows.map(({ id }) => id)],
  },
]

/** The copy has the indexes and the free room of the table. */
const copyDevices = `
  drop table if exists ${bareTable};
  create table ${bareTable} (like devices including defaults including constraints including indexes) with (fillfactor = 80);
  insert into ${bareTable} select * from devices;
  analyze ${bareTable};`

const selectSize = `select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> '${bareTable}'`

/** Returns what reads the processor time of the server's processes; nothing when they run on another machine. */
async function findServer(driver: PostgresDriver): Promise<(() => number) | undefined> {
  const [row] = await driver.run({ sql: 'select pg_backend_pid()', params: [] })
  const status = readStatus(Number(row?.[0]))
  if (!/^Name:\s+postgres$/m.test(status)) return undefined
  const server = Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1])
  return () => {
    const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8')
    const pids = children.split(' ').filter(Boolean).map(Number)
    return readProcessorUsOfAll(server) + pids.reduce((sum, pid) => sum + readOf(pid), 0)
  }
}

/** Of a process that may have ended: the server has its time then. */
function readOf(pid: number): number {
  try {
    return readProcessorUs(pid)
  } catch {
    return 0
  }
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
