/** The registry of the machine as a device of its own: it follows the policy, and has the keystore that is encrypted to it. */
import type { SyncState } from '@cardwire/protocol/connector-sync'
import type { Fault } from '@cardwire/protocol/sync'
import { checkFolderAccessOnWindows } from '../pki/protection.ts'
import type { Settings } from '../settings.ts'
import type { ClockWatch } from '../system/clock-watch.ts'
import type { Log } from '../system/log.ts'
import { openPrivateFolder } from '../system/private-folder.ts'
import { readUser } from '../system/user.ts'
import { version } from '../version.ts'
import { openDevice } from './device.ts'
import { type KeystoreSource, removeKeystoreFile } from './keystore/keystore-file.ts'
import { createAllowlist } from './policy/allowlist.ts'
import { enforcePolicy } from './policy/enforce.ts'
import { toMachineInfo } from './sync/device-info.ts'
import { toSyncState } from './sync/sync-report.ts'

export interface MachineDevice {
  readonly keystore: KeystoreSource
  syncState(): SyncState
  faults(): readonly Fault[]
  /** The listener is called after every synchronization, and when there is another keystore. */
  onChange(listener: () => void): void
  /** The listener is called with the origins of the policy, now if there is one, and when there are others. */
  onOrigins(listener: (origins: readonly string[]) => void): void
  /** Enforces the stored policy, and synchronizes from now on. */
  start(): void
}

export interface MachineDeviceOptions {
  readonly settings: Settings
  /** A folder of the account of the registry alone. */
  readonly runtime: string
  readonly log: Log
  /** The folder of the installation. */
  readonly installation: string
  /** The file of the thread that opens keystores. */
  readonly keystoreWorker: URL
  readonly clockWatch: Pick<ClockWatch, 'confirm'>
  /** Ends the process. */
  readonly end: (status: number) => void
}

/** undefined: the settings name no service. Throws when the identity key can be neither read nor created. */
export async function openMachineDevice(
  options: MachineDeviceOptions,
): Promise<MachineDevice | undefined> {
  const { settings, runtime, log, installation, keystoreWorker, clockWatch, end } = options
  const { dsUrl } = settings
  if (dsUrl === undefined) {
    // Left by a service that the settings named before.
    await removeKeystoreFile(runtime)
    return undefined
  }
  await openMachineFolder(runtime, log)
  const device = await openDevice({
    dsUrl,
    settings,
    runtime,
    deviceInfo: toMachineInfo(readUser(process.env), settings.tags),
    counters: { batches: () => [], acknowledge: () => undefined },
    keystoreWorker,
    clockWatch,
    log,
  })
  const { session, synchronizer, keystore, faults } = device
  const { policy } = session
  const allowlist = createAllowlist(settings.cors, policy)
  synchronizer.onSuccess(allowlist.refresh)
  return {
    keystore,
    syncState: () => toSyncState(dsUrl, session, synchronizer, allowlist.entries(), undefined),
    faults: faults.list,
    onChange(listener) {
      synchronizer.onAttempt(listener)
      keystore.onChange(listener)
    },
    onOrigins(listener) {
      if (policy()) listener(allowlist.entries())
      allowlist.onChange(() => listener(allowlist.entries()))
    },
    start() {
      if (policy()) void device.applyKeystore()
      enforcePolicy({
        version,
        folder: installation,
        policy,
        synchronizer,
        dialog: noDialog,
        offersUpdates: false,
        language: '',
        faults,
        log,
        end,
      })
      synchronizer.start()
    },
  }
}

/** What is made below the folder of the machine every account may read on Windows, until an access list says who. */
async function openMachineFolder(folder: string, log: Log): Promise<void> {
  openPrivateFolder(folder, log)
  if (process.platform !== 'win32') return
  const [access] = await checkFolderAccessOnWindows(folder, { repair: true })
  if (access?.private) return
  throw new Error(`Cannot keep a key in "${folder}": ${access?.reason ?? 'it is not there'}`)
}

/** A service has no desktop: the connector of each user tells that user. */
const noDialog = { show: async () => 'unavailable' as const }
