/** One synchronization of a connector that does not run, as its next start would do it; nothing is enforced. */
import type { SyncState } from '@cardwire/protocol/connector-sync'
import type { Settings } from '../settings.ts'
import type { Folders } from '../system/folders.ts'
import type { Log } from '../system/log.ts'
import { readUser } from '../system/user.ts'
import { createDsClient } from './client/ds-client.ts'
import { openIdentity } from './client/identity.ts'
import { createTransport } from './client/transport.ts'
import { readKeystoreFile } from './keystore/keystore-file.ts'
import { toDeviceInfo } from './sync/device-info.ts'
import { createStateStore } from './sync/persisted-state.ts'
import { openSyncSession, type SyncSession } from './sync/session.ts'
import { toSyncState } from './sync/sync-report.ts'
import { type SyncStatus, toSyncStatus } from './sync/sync-status.ts'

interface Options {
  readonly dsUrl: string
  readonly settings: Pick<Settings, 'caFile' | 'installationKey' | 'dsFingerprints' | 'tags'>
  readonly folders: Pick<Folders, 'runtime'>
  readonly log: Log
}

/** For a connector that has registered before; the caller holds its lock. The counters wait for the connector. */
export async function synchronizeOnce(options: Options): Promise<SyncState> {
  const { dsUrl } = options
  const session = await openSession(options)
  const status: SyncStatus = await session
    .syncOnce()
    .then(() => ({ kind: 'good', at: Date.now() }) as const, toSyncStatus)
  const synchronizer = { status: () => status, nextAt: () => undefined }
  return toSyncState(dsUrl, session, synchronizer, session.policy()?.cors ?? [], undefined)
}

async function openSession({ dsUrl, settings, folders, log }: Options): Promise<SyncSession> {
  const { runtime } = folders
  const { installationKey, dsFingerprints: fingerprints } = settings
  const clock = Date.now
  const identity = await openIdentity(runtime, log)
  const keystore = await readKeystoreFile(runtime)
  return openSyncSession({
    dsUrl,
    identity: identity.thumbprint,
    dsClient: createDsClient({
      dsUrl,
      identity,
      transport: createTransport({ caFile: settings.caFile }),
      clock,
    }),
    stateStore: createStateStore({ runtime, dsUrl, identity: identity.thumbprint, log }),
    deviceInfo: toDeviceInfo(readUser(process.env), settings.tags),
    installationKey,
    fingerprints,
    report: {
      batches: () => [],
      acknowledge: () => undefined,
      keystore: () => keystore?.digest,
      faults: () => [],
    },
    clock,
    log,
  })
}
