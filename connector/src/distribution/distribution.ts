/** The distribution service that manages this connector, as the API uses it. */
import type { SyncState } from '@cardwire/protocol/connector-sync'

/**
 * `policy-expired`: no sync succeeded for as long as the service allows. `device-blocked`: an administrator has blocked this
 * device.
 */
export type PolicyEnd = 'policy-expired' | 'device-blocked'

export interface Distribution {
  readonly url: string
  /** The id by which the service knows this device; undefined: it is not registered. */
  deviceId(): string | undefined
  /** Why pages are rejected whatever the policy says; undefined: they are not. */
  findPolicyEnd(): PolicyEnd | undefined
  /** The result of the last synchronization. */
  syncState(): SyncState
  /** Synchronizes now, and resolves with the state afterwards. Never throws. */
  synchronize(): Promise<SyncState>
  /** Synchronizes soon; pages may request it as often as they like. */
  requestSync(): void
  /** Uploads the logs. Throws when the service did not store them. */
  pushLogs(): Promise<void>
}
