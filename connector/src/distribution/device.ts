/** A device at its service: its key, its registration, its synchronizations, and the keystore that they bring. */
import type { Settings } from '../settings.ts'
import { systemClock } from '../system/clock.ts'
import type { ClockWatch } from '../system/clock-watch.ts'
import type { Log } from '../system/log.ts'
import { createDsClient } from './client/ds-client.ts'
import { openIdentity } from './client/identity.ts'
import { createTransport } from './client/transport.ts'
import { type Keystore, openKeystore } from './keystore/keystore.ts'
import { createKeystoreOpener } from './keystore/open-keystore-file.ts'
import type { BatchSource } from './sync/counter-batches.ts'
import type { DeviceInfo } from './sync/device-info.ts'
import { createFaults, type Faults } from './sync/faults.ts'
import { createNewsWait } from './sync/news-wait.ts'
import { createStateStore } from './sync/persisted-state.ts'
import { createSchedule } from './sync/schedule.ts'
import { openSyncSession, type SyncSession } from './sync/session.ts'
import { createSynchronizer, type Synchronizer } from './sync/synchronizer.ts'
import { createWallClockTimer, type StartTimer } from './sync/wall-clock-timer.ts'

export interface Device {
  readonly session: SyncSession
  readonly synchronizer: Synchronizer
  readonly keystore: Keystore
  readonly faults: Faults
  readonly startTimer: StartTimer
  /** Milliseconds that the clock of the service is ahead of ours. */
  readonly clockOffsetMs: () => number
  /** Puts the keystore of the policy in force. Never throws. */
  applyKeystore(): Promise<void>
  stop(): void
}

export interface DeviceOptions {
  readonly dsUrl: string
  readonly settings: Pick<Settings, 'caFile' | 'installationKey' | 'dsFingerprints'>
  /** The folder of the key and of what the service has sent. */
  readonly runtime: string
  readonly deviceInfo: DeviceInfo
  readonly counters: BatchSource
  /** The file of the thread that opens keystores. */
  readonly keystoreWorker: URL
  /** The service confirms it with its signed time. */
  readonly clockWatch: Pick<ClockWatch, 'confirm'>
  readonly log: Log
}

/** Sends nothing yet. Throws when the identity key can be neither read nor created. */
export async function openDevice(options: DeviceOptions): Promise<Device> {
  const { dsUrl, settings, runtime, deviceInfo, counters, keystoreWorker, clockWatch, log } =
    options
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
    deviceInfo,
    installationKey: settings.installationKey,
    fingerprints: settings.dsFingerprints,
    report: { ...counters, keystore: () => keystore.digest(), faults: faults.list },
    clock,
    log,
  })
  const keystore: Keystore = await openKeystore({
    runtime,
    dsUrl,
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
  const applyKeystore = () => keystore.apply(session.policy()?.keystore)
  const schedule = createSchedule(Math.random)
  const synchronizer = createSynchronizer({ session, schedule, clock, startTimer, faults, log })
  synchronizer.onSuccess(() => clockWatch.confirm(session.state()?.offsetMs ?? 0))
  synchronizer.onSuccess(() => void applyKeystore())
  const newsWait = createNewsWait({
    ...{ session, synchronizer, schedule: createSchedule(Math.random), clock, startTimer, log },
  })
  return {
    session,
    synchronizer,
    keystore,
    faults,
    startTimer,
    clockOffsetMs: dsClient.clockOffsetMs,
    applyKeystore,
    stop() {
      keystore.stop()
      newsWait.stop()
      synchronizer.stop()
    },
  }
}
