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
