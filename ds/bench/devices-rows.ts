/** Devices as a registration leaves them in a database; a registration each over HTTP would be another measurement. */

export interface DeviceRow {
  readonly id: string
  readonly fingerprint: string
  /** JSON. */
  readonly key: string
  /** JSON; nothing when absent. */
  readonly device?: string
}

export type StoreDevices = (rows: readonly DeviceRow[]) => Promise<void>

export const columns =
  'id, fingerprint, key, device, version, platform, "user", blocked, registrations, registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults'

/** What stands behind id, fingerprint, key and device; nothing in it needs an escape. */
export function createRestOfRow(now: number): string {
  const day = Math.floor(now / 86_400_000)
  return `'4.0.0', 'UNIX', '{}', false, 1, ${now}, ${now}, 0, ${now}, ${day}, 0, '[]'`
}

/** Half of them are reached, and all of them fare well. The id is the only parameter. */
export const createRolloutDevices = (count: number): string => {
  const now = Date.now()
  return `insert into rollout_devices (rollout_id, device_id, arm, stage, since, seen_at, faults, installed_at, outcome)
    select ?, id, case when id < '8' then 'reached' else 'control' end, 0, ${now}, ${now}, '[]',
      case when id < '8' then ${now} end, 'success' from devices order by fingerprint limit ${count}`
}
