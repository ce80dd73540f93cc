/** Refuses a database that a later version of the service has migrated: this version would misread it, or damage what it does not know. */
import type { Driver } from './database.ts'

/** The database has migrations that this version does not have. */
export class LaterVersionError extends Error {}

/** Names as the database and this version have them. Throws a LaterVersionError. */
export function requireKnown(applied: readonly string[], known: readonly string[]): void {
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new LaterVersionError(
    `Cannot use the database: a later version of the service has migrated it (${unknown.slice(0, 3).join(', ')}). Install that version, or restore a backup from before`,
  )
}

/** Where a database records its migrations, and those that this version has. */
export interface KnownMigrations {
  readonly table: 'd1_migrations' | 'cardwire_migrations'
  readonly names: readonly string[]
}

/** For Workers, which apply none. Throws a LaterVersionError. */
export async function checkMigrations(
  driver: Driver,
  { table, names }: KnownMigrations,
): Promise<void> {
  // A copy of a D1 database may lack the table.
  const isD1 = table === 'd1_migrations'
  const found = isD1 ? await run(`select name from sqlite_master where name = '${table}'`) : [[]]
  if (found.length === 0) return
  const rows = await run(`select name from ${table}`)
  requireKnown(
    rows.map(([name]) => String(name)),
    names,
  )

  function run(sql: string) {
    return driver.run({ sql, params: [] })
  }
}

/** Those of drizzle/postgres, which Workers cannot read. */
export const postgresMigrations: readonly string[] = [
  '0000_initial.sql',
  '0001_fleet_days.sql',
  '0002_administration.sql',
  '0003_device_search.sql',
  '0004_login_limits.sql',
  '0005_revisions.sql',
  '0006_device_names.sql',
  '0007_password_changes.sql',
  '0008_recovery_codes.sql',
  '0009_sign_ins.sql',
  '0010_device_changes.sql',
  '0011_device_counts.sql',
  '0012_quotas_by_day.sql',
  '0013_authors_of_device_changes.sql',
  '0014_audit_summarized.sql',
  '0015_devices_changed_since.sql',
  '0016_rollouts.sql',
  '0017_stamped_keys.sql',
  '0018_device_tags.sql',
  '0019_groups.sql',
  '0020_rollout_hours.sql',
  '0021_tags_of_device_changes.sql',
  '0022_tag_imports.sql',
  '0023_approvals.sql',
  '0024_api_clients.sql',
  '0025_device_fault_counts.sql',
  '0026_webhooks.sql',
  '0027_gateway_keys.sql',
  '0028_unique_devices.sql',
  '0029_evidence_of_faults.sql',
]
