/** Opens the management of this connector: by its settings only, or by the distribution service that they name. */
import { serviceAudience } from '@cardwire/protocol/assertion'
import { uploadLogs } from '@cardwire/protocol/sync'
import type { Settings } from '../settings.ts'
import type { ClockWatch } from '../system/clock-watch.ts'
import type { Dialog } from '../system/desktop/desktop.ts'
import type { Folders } from '../system/folders.ts'
import type { Log } from '../system/log.ts'
import { singleFlight } from '../system/single-flight.ts'
import type { User } from '../system/user.ts'
import type { CardSettingsSource } from '../user/consent/grants.ts'
import { version } from '../version.ts'
import { type Device, openDevice } from './device.ts'
import type { Distribution } from './distribution.ts'
import type { Keystore } from './keystore/keystore.ts'
import { removeKeystoreFile } from './keystore/keystore-file.ts'
import { type Allowlist, createAllowlist } from './policy/allowlist.ts'
import { createCardPolicy } from './policy/card-policy.ts'
import { enforcePolicy } from './policy/enforce.ts'
import { createPolicyExpiry, type PolicyExpiry } from './policy/expiry.ts'
import { collectLogs } from './sync/collect-logs.ts'
import type { BatchSource } from './sync/counter-batches.ts'
import { toDeviceInfo } from './sync/device-info.ts'
import { toSyncState } from './sync/sync-report.ts'
import { createTokenKeyResolver } from './sync/token-keys.ts'
import { createSettingsAuthority, type TokenAuthority } from './token-authority.ts'

export interface Management {
  /** The origins whose pages may use the API. */
  allowlist(): readonly string[]
  onAllowlistChange(listener: () => void): () => void
  /** What the service says about cards; undefined: the settings name no service. */
  readonly cardPolicy: CardSettingsSource | undefined
  readonly tokenAuthority: TokenAuthority
  /** undefined: the settings name no distribution service. */
  readonly distribution: Distribution | undefined
  /** The keystore of the service; undefined: the settings name no service. */
  readonly keystore: Keystore | undefined
  /** Tries once to get a keystore, for a connector that has no other certificate. */
  obtainKeystore(): Promise<void>
  /** Enforces the stored policy, and synchronizes from now on. */
  start(): void
  stop(): void
}

export interface ManagementOptions {
  readonly settings: Settings
  readonly folders: Pick<Folders, 'runtime' | 'logs'>
  readonly log: Log
  readonly user: User
  readonly dialog: Dialog
  /** The folder of the installation. */
  readonly installation: string
  /** The file of the thread that opens keystores. */
  readonly keystoreWorker: URL
  readonly counters: BatchSource
  /** The service confirms it with its signed time; the policy ends by it. */
  readonly clockWatch: Pick<ClockWatch, 'confirm' | 'readings'>
  /** Ends the process. */
  readonly end: (status: number) => void
}

/** Throws when the identity key can be neither read nor created. */
export async function openManagement(options: ManagementOptions): Promise<Management> {
  const { settings, folders } = options
  if (settings.dsUrl !== undefined) return openServiceManagement(settings.dsUrl, options)
  // Left by a service that the settings named before.
  await removeKeystoreFile(folders.runtime)
  const { entries, onChange } = createAllowlist(settings.cors, () => undefined)
  return {
    allowlist: entries,
    onAllowlistChange: onChange,
    cardPolicy: undefined,
    tokenAuthority: createSettingsAuthority(settings),
    distribution: undefined,
    keystore: undefined,
    obtainKeystore: async () => undefined,
    start: () => undefined,
    stop: () => undefined,
  }
}

async function openServiceManagement(
  dsUrl: string,
  options: ManagementOptions,
): Promise<Management> {
  const { settings, folders, log, user, dialog, installation, end } = options
  const { counters, keystoreWorker, clockWatch } = options
  const device = await openDevice({
    dsUrl,
    settings,
    runtime: folders.runtime,
    deviceInfo: toDeviceInfo(user, settings.tags),
    counters,
    keystoreWorker,
    clockWatch,
    log,
  })
  const { session, synchronizer, keystore, faults, startTimer, applyKeystore } = device
  const { policy } = session
  const allowlist = createAllowlist(settings.cors, policy)
  const cardPolicy = createCardPolicy(policy)
  const expiry = createPolicyExpiry({
    term: session.term,
    readings: clockWatch.readings,
    offsetMs: () => session.state()?.offsetMs ?? 0,
    startTimer,
    log,
  })
  synchronizer.onSuccess(expiry.report)
  synchronizer.onSuccess(allowlist.refresh)
  synchronizer.onSuccess(cardPolicy.refresh)
  return {
    allowlist: allowlist.entries,
    onAllowlistChange: allowlist.onChange,
    cardPolicy,
    tokenAuthority: createTokenAuthority(dsUrl, settings, device),
    distribution: createDistribution(dsUrl, { device, expiry, allowlist, folders, log }),
    keystore,
    async obtainKeystore() {
      if (policy()) await applyKeystore()
      if (keystore.current()) return
      await synchronizer.synchronize()
      await applyKeystore()
    },
    start() {
      if (policy()) void applyKeystore()
      enforcePolicy({
        version,
        folder: installation,
        policy,
        synchronizer,
        dialog,
        offersUpdates: settings.offersUpdates,
        language: user.language,
        faults,
        log,
        end,
      })
      expiry.start()
      synchronizer.start()
    },
    stop() {
      device.stop()
      expiry.stop()
    },
  }
}

/** Whose tokens are accepted: the service's, unless the settings name keys. */
function createTokenAuthority(
  dsUrl: string,
  settings: Settings,
  { session, synchronizer, clockOffsetMs }: Device,
): TokenAuthority {
  if (settings.jwks !== undefined) return createSettingsAuthority(settings)
  return {
    getKey: createTokenKeyResolver({
      policy: session.policy,
      synchronize: synchronizer.synchronizeUnlessPaused,
      clock: Date.now,
    }),
    // The registration returned the address as the service spells it.
    issuers: () => [serviceAudience(dsUrl), session.state()?.audience ?? dsUrl],
    clockOffsetMs,
  }
}

interface DistributionContext extends Pick<ManagementOptions, 'folders' | 'log'> {
  readonly device: Device
  readonly expiry: PolicyExpiry
  readonly allowlist: Pick<Allowlist, 'entries'>
}

function createDistribution(
  dsUrl: string,
  { device: { session, synchronizer }, expiry, allowlist, folders, log }: DistributionContext,
): Distribution {
  const syncState = () =>
    toSyncState(dsUrl, session, synchronizer, allowlist.entries(), expiry.status())
  return {
    url: dsUrl,
    deviceId: () => session.state()?.device,
    findPolicyEnd() {
      if (session.isBlocked()) return 'device-blocked'
      return expiry.isExpired() ? 'policy-expired' : undefined
    },
    syncState,
    async synchronize() {
      await synchronizer.synchronizeAnew()
      return syncState()
    },
    requestSync: synchronizer.requestSync,
    pushLogs: singleFlight(async () => {
      const bytes = await collectLogs(folders.logs)
      const body = { type: 'application/gzip', bytes }
      await session.send({ method: 'POST', path: uploadLogs.path, body })
      log.info('logs uploaded to the service', { bytes: bytes.length })
    }),
  }
}
