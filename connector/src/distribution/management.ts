/** Opens the management of this connector: by its settings alone, or by the distribution service that they name. */
import { serviceAudience, uploadLogs } from '@cardwire/client/protocol'
import type { CardSettingsSource } from '../consent/grants.ts'
import type { Dialog } from '../desktop/desktop.ts'
import type { Settings } from '../settings.ts'
import { systemClock } from '../system/clock.ts'
import type { ClockWatch } from '../system/clock-watch.ts'
import type { Folders } from '../system/folders.ts'
import type { Log } from '../system/log.ts'
import type { Person } from '../system/person.ts'
import { singleFlight } from '../system/single-flight.ts'
import { version } from '../version.ts'
import { createDsClient } from './client/ds-client.ts'
import { openIdentity } from './client/identity.ts'
import { createTokenKeyResolver } from './client/token-keys.ts'
import { createTransport } from './client/transport.ts'
import type { Distribution } from './distribution.ts'
import { type Keystore, openKeystore } from './keystore/keystore.ts'
import { removeKeystoreFile } from './keystore/keystore-file.ts'
import { createKeystoreOpener } from './keystore/open-keystore-file.ts'
import { createAllowlist } from './policy/allowlist.ts'
import { createCardPolicy } from './policy/card-policy.ts'
import { enforcePolicy } from './policy/enforce.ts'
import { createPolicyExpiry } from './policy/expiry.ts'
import { collectLogs } from './sync/collect-logs.ts'
import type { BatchSource } from './sync/counter-batches.ts'
import { toDeviceInfo } from './sync/device-info.ts'
import { createFaults } from './sync/faults.ts'
import { createStateStore } from './sync/persisted-state.ts'
import { createSchedule } from './sync/schedule.ts'
import { openSyncSession } from './sync/session.ts'
import { toSyncState } from './sync/sync-report.ts'
import { createSynchronizer } from './sync/synchronizer.ts'
import { createWallClockTimer } from './sync/wall-clock-timer.ts'
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
  readonly person: Person
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
  const { settings, folders, log, counters, person, dialog, installation, keystoreWorker, end } =
    options
  const { clockWatch } = options
  const { runtime } = folders
  const clock = Date.now
  const startTimer = createWallClockTimer(systemClock, clock)
  const faults = createFaults(clock)
  const identity = await openIdentity(runtime, log)
  const transport = createTransport({ caFile: settings.caFile })
  const dsClient = createDsClient({ dsUrl, identity, transport, clock })
  const session = await openSyncSession({
    dsUrl,
    identity: identity.thumbprint,
    dsClient,
    stateStore: createStateStore({ runtime, dsUrl, identity: identity.thumbprint, log }),
    deviceInfo: toDeviceInfo(person),
    installationKey: settings.installationKey,
    fingerprints: settings.dsFingerprints,
    report: { ...counters, keystore: () => keystore.digest(), faults: faults.list },
    clock,
    log,
  })
  const { policy } = session
  const keystore: Keystore = await openKeystore({
    runtime,
    transport,
    send: session.send,
    decrypt: identity.decrypt,
    openFile: createKeystoreOpener(keystoreWorker),
    faults,
    schedule: createSchedule(Math.random),
    startTimer,
    clock,
    log,
  })
  const applyKeystore = () => keystore.apply(policy()?.keystore)
  const allowlist = createAllowlist(settings.cors, policy)
  const cardPolicy = createCardPolicy(policy)
  const schedule = createSchedule(Math.random)
  const synchronizer = createSynchronizer({ session, schedule, clock, startTimer, faults, log })
  synchronizer.onSuccess(() => clockWatch.confirm(session.state()?.offsetMs ?? 0))
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
  synchronizer.onSuccess(() => void applyKeystore())
  const syncState = () =>
    toSyncState(dsUrl, session, synchronizer, allowlist.entries(), expiry.status())
  return {
    allowlist: allowlist.entries,
    onAllowlistChange: allowlist.onChange,
    cardPolicy,
    tokenAuthority:
      settings.jwks === undefined
        ? {
            getKey: createTokenKeyResolver({ dsUrl, transport, policy, clock }),
            // The registration returned the address as the service spells it.
            issuers: () => [serviceAudience(dsUrl), session.state()?.audience ?? dsUrl],
            clockOffsetMs: dsClient.clockOffsetMs,
          }
        : createSettingsAuthority(settings),
    distribution: {
      url: dsUrl,
      deviceId: () => session.state()?.device,
      isPolicyExpired: expiry.isExpired,
      syncState,
      async synchronize() {
        await synchronizer.synchronize()
        return syncState()
      },
      requestSync: synchronizer.requestSync,
      pushLogs: singleFlight(async () => {
        const bytes = await collectLogs(folders.logs)
        const body = { type: 'application/gzip', bytes }
        await session.send({ method: 'POST', path: uploadLogs.path, body })
        log.info('logs uploaded to the service', { bytes: bytes.length })
      }),
    },
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
        faults,
        log,
        end,
      })
      expiry.start()
      synchronizer.start()
    },
    stop() {
      keystore.stop()
      expiry.stop()
      synchronizer.stop()
    },
  }
}
