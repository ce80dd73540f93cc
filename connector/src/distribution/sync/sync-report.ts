/** The state of the synchronization in the form of the contract, which `cardwire sync` prints. */
import type { SyncState } from '@cardwire/protocol/connector-sync'
import type { SyncSession } from './session.ts'
import type { SyncStatus } from './sync-status.ts'
import type { Synchronizer } from './synchronizer.ts'

/** A restart, or a service that is out of reach, does not end it. */
const blocked: SyncStatus = {
  kind: 'refused',
  code: 'device-blocked',
  reason: 'Cannot serve this device: an administrator has blocked it',
}

export function toSyncState(
  dsUrl: string,
  session: Pick<SyncSession, 'state' | 'policy' | 'isBlocked'>,
  synchronizer: Pick<Synchronizer, 'status' | 'nextAt'>,
  origins: readonly string[],
  policyStatus: SyncState['policy'],
): SyncState {
  const last = synchronizer.status()
  const status = session.isBlocked() && last.kind !== 'refused' ? blocked : last
  const state = session.state()
  const policy = session.policy()
  const nextAt = synchronizer.nextAt()
  return {
    service: dsUrl,
    standing: status.kind,
    ...('reason' in status && { reason: status.reason }),
    ...(status.kind === 'refused' && { code: status.code }),
    ...(state && { device: state.device }),
    ...(state?.lastGood !== undefined && { lastGood: new Date(state.lastGood).toISOString() }),
    ...(nextAt !== undefined && { next: new Date(nextAt).toISOString() }),
    ...(policy && { verdict: policy.verdict }),
    ...(policyStatus && { policy: policyStatus }),
    origins: origins.length,
  }
}
