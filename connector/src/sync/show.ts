/** How the connector stands with its service, as `cardwire sync` shows it. */
import type { SyncState } from '@cardwire/client/protocol'
import type { Exchange } from './exchange.ts'
import type { Synchroniser } from './synchroniser.ts'

export function stateOf(
  service: string,
  exchange: Pick<Exchange, 'kept' | 'policy'>,
  synchroniser: Pick<Synchroniser, 'standing' | 'nextAt'>,
  origins: readonly string[],
): SyncState {
  const standing = synchroniser.standing()
  const kept = exchange.kept()
  const policy = exchange.policy()
  const next = synchroniser.nextAt()
  return {
    service,
    standing: standing.kind,
    ...('reason' in standing && { reason: standing.reason }),
    ...(kept && { device: kept.device }),
    ...(kept?.lastGood !== undefined && { lastGood: new Date(kept.lastGood).toISOString() }),
    ...(next !== undefined && { next: new Date(next).toISOString() }),
    ...(policy && { verdict: policy.verdict }),
    origins: origins.length,
  }
}
