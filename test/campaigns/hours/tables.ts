/** The rows of the service's database: with what each table grows, and how many rows it may have. */
import { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { counterBounds } from '@cardwire/protocol'
import type { Results } from './results.ts'

/** What the rows depend on. */
export interface Facts {
  readonly machines: number
  readonly versions: number
  readonly labels: number
  readonly rotations: { readonly reply: number; readonly application: number }
  /** Changes by administrators. */
  readonly changes: number
  /** Days with something in them, and kinds of uses on all of them. */
  readonly days: number
  readonly kindsOfUses: number
}

interface TableRule {
  readonly grows: string
  readonly maxRows: (facts: Facts) => number
}

const installerSystems = 1

/** Every table there is: one that is not here is a violation. */
const rules: Readonly<Record<string, TableRule>> = {
  versions: { grows: 'one a version', maxRows: ({ versions }) => versions },
  configurations: { grows: 'three a version', maxRows: ({ versions }) => 3 * versions },
  revisions: {
    grows: 'one a change of a version or configuration; DS_REVISIONS_KEPT of each',
    maxRows: ({ versions, changes }) => 4 * versions + changes,
  },
  organizations: { grows: 'one an organization', maxRows: () => 1 },
  labels: { grows: 'one a label', maxRows: ({ labels }) => labels },
  consumers: {
    grows: 'one a label and a version',
    maxRows: ({ labels, versions }) => labels + versions,
  },
  api_keys: {
    grows: 'two a label and a version',
    maxRows: ({ labels, versions }) => 2 * (labels + versions),
  },
  signing_keys: {
    grows: 'one a rotation; those out of use go with the next one that is withdrawn',
    maxRows: ({ rotations }) => 4 + rotations.reply + rotations.application,
  },
  successions: {
    grows: 'one a rotation of the keys of replies; 4,096',
    maxRows: ({ rotations }) => 2 + rotations.reply,
  },
  administrators: { grows: 'one an administrator', maxRows: () => 0 },
  recovery_codes: { grows: 'ten an administrator with a second factor', maxRows: () => 0 },
  sign_ins: { grows: 'one a user of an external provider; 1,000', maxRows: () => 0 },
  sessions: { grows: 'one a login, until it ends; 1,000 an account', maxRows: () => 0 },
  browser_sessions: {
    grows: 'one a login in a browser, until it ends; 1,000 an account',
    maxRows: () => 0,
  },
  login_delays: { grows: 'one an account and address; 20,000', maxRows: () => 0 },
  downloads: {
    grows: 'one a day, version and system',
    maxRows: ({ days, versions }) => days * versions * installerSystems,
  },
  devices: {
    grows: 'one a device, until it was not seen for DS_DEVICE_RETENTION_DAYS',
    maxRows: ({ machines }) => machines,
  },
  device_names: { grows: 'one a device with a name', maxRows: ({ machines }) => machines },
  device_counts: {
    grows: 'one a day, version, system, and what a device is, while a device is so',
    maxRows: ({ machines }) => machines,
  },
  device_fault_counts: {
    grows:
      'one a day, version, kind of fault, and what a device is, while a device has such a fault',
    maxRows: ({ machines }) => 16 * machines,
  },
  device_tags: { grows: 'one a device and tag; 48 a device', maxRows: () => 0 },
  device_changes: { grows: 'one a change of many devices, for 30 days', maxRows: () => 0 },
  changed_devices: { grows: 'one a device of such a change', maxRows: () => 0 },
  tag_imports: { grows: 'one a CSV file with tags, for a day', maxRows: () => 0 },
  planned_tags: { grows: 'one a device of such a file, for a day', maxRows: () => 0 },
  device_groups: { grows: 'one a group, a hundred at most', maxRows: () => 0 },
  rollouts: { grows: 'one a rollout, for ever', maxRows: () => 0 },
  rollout_devices: {
    grows: 'one a device and rollout, until that is finished',
    maxRows: () => 0,
  },
  rollout_hours: { grows: 'one an hour and rollout; 450 a rollout', maxRows: () => 0 },
  approvals: { grows: 'one a change that needs a second administrator; 50', maxRows: () => 0 },
  api_clients: { grows: 'one an API client; 200', maxRows: () => 0 },
  api_client_credentials: { grows: 'ten an API client', maxRows: () => 0 },
  client_assertions: { grows: 'one a signed assertion, for six minutes', maxRows: () => 0 },
  webhooks: { grows: 'one a webhook, twenty at most', maxRows: () => 0 },
  webhook_deliveries: {
    grows: 'one a request to a webhook; the newest 200 of each',
    maxRows: () => 0,
  },
  stamped_keys: { grows: 'one a stamped installation key; the newest 10,000', maxRows: () => 0 },
  fleet_days: {
    grows: 'one a day, version and system, for DS_DEVICE_RETENTION_DAYS',
    maxRows: ({ days, versions }) => days * versions * installerSystems,
  },
  quotas: {
    grows: 'one a device that counts and an account that logs in on a day; gone on the next day',
    maxRows: ({ machines, versions }) => machines + 2 * versions + 1,
  },
  clock_readings: { grows: 'never', maxRows: () => 1 },
  counter_batches: {
    grows: 'those of the newest request of a device',
    maxRows: ({ machines }) => machines * counterBounds.batches,
  },
  departed_batches: { grows: 'those of a deleted device', maxRows: () => 0 },
  counters: {
    grows: 'one a day, label, module, use case and tag, for ever',
    maxRows: ({ kindsOfUses }) => kindsOfUses,
  },
  use_keys: { grows: 'one a month; the newest two', maxRows: () => 2 },
  use_devices: {
    grows: 'one a device, label and month, for two months; 199 a device and month',
    maxRows: ({ machines, labels }) => 2 * machines * (labels + 1),
  },
  use_months: {
    grows: 'one a month, label and organization, for ever',
    maxRows: () => 0,
  },
  device_logs: { grows: 'one a device, DS_LOGS_KEPT at most', maxRows: () => 0 },
  refusals: {
    // A machine whose clock is off by more than a minute is refused once when it registers.
    grows: 'one an address and reason, for 30 days, a thousand at most',
    maxRows: ({ machines }) => machines,
  },
  audit: {
    grows: 'one to three a change by an administrator, for ever',
    maxRows: ({ changes }) => 3 * changes,
  },
}

export interface DatabaseSize {
  readonly rows: ReadonlyMap<string, number>
  /** Of all pages, those in the log of writes too. */
  readonly bytes: number
  readonly logBytes: number
}

/** Without those that an index of full text keeps for itself. */
export const listTables = (database: Database): readonly string[] =>
  database
    .query<{ name: string }, []>(
      `SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%migrations'`,
    )
    .all()
    .map(({ name }) => name)

export const hasRule = (table: string): boolean => Object.hasOwn(rules, table)

export function readDatabaseSize(file: string): DatabaseSize {
  const database = new Database(file, { readonly: true })
  const names = listTables(database)
  const rows = new Map(
    names.map((name) => {
      const found = database.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}"`).get()
      return [name, found?.n ?? 0]
    }),
  )
  const pages = database
    .query<{ bytes: number }, []>(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
    )
    .get()
  database.close()
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  return { rows, bytes: pages?.bytes ?? 0, logBytes: log?.size ?? 0 }
}

/** SQLite copies its log into the file every thousand pages; a transaction more may come before. */
const maxLogBytes = 8 * 1024 * 1024
/** Bytes of a row with its indexes, and what half-filled pages take. */
const maxRowBytes = 1024
const pagesBytes = 512 * 1024

export function checkDatabase(
  before: DatabaseSize,
  after: DatabaseSize,
  facts: Facts,
  results: Results,
): void {
  for (const [name, rows] of after.rows) {
    const most = rules[name]?.maxRows(facts) ?? Number.NaN
    results.check('rows-bounded', rows <= most, () => `${name} has ${rows} rows, not ${most}`)
  }
  const sum = ({ rows }: DatabaseSize) => [...rows.values()].reduce((all, one) => all + one, 0)
  const most = before.bytes + Math.max(0, sum(after) - sum(before)) * maxRowBytes + pagesBytes
  results.check(
    'database-bounded',
    after.bytes <= most && after.logBytes <= maxLogBytes,
    () =>
      `the file grew from ${before.bytes} to ${after.bytes} bytes (${most} at most), its log has ${after.logBytes}`,
  )
}

/** The tables that have rows or grow: rows at both times, and rows a day at this rate. */
export function printDatabase(
  before: DatabaseSize,
  after: DatabaseSize,
  betweenMs: number,
): readonly string[] {
  const lines = [...after.rows].map(([name, rows]) => {
    const grown = rows - (before.rows.get(name) ?? 0)
    const perDay = Math.round((grown * 86_400_000) / betweenMs)
    const numbers = [before.rows.get(name) ?? 0, rows, perDay].map((number) =>
      number.toLocaleString('en').padStart(9),
    )
    return `${name.padEnd(17)}${numbers.join('')}  ${rules[name]?.grows ?? ''}`
  })
  const heading = ['rows then', 'now', 'a day'].map((title) => title.padStart(9)).join('')
  return [`${''.padEnd(17)}${heading}  grows`, ...lines]
}
