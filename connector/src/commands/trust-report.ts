/** Describes the outcome for a trust store in a sentence. */
import type { StoreResult } from '../pki/trust-stores/install-root.ts'

/** Whether the store trusts the root, or that it cannot be read. */
export function describeTrust({
  store,
  trusted,
  unread = false,
  reason,
  remedy,
}: Omit<StoreResult, 'scope'>): string {
  const because = reason === undefined ? '' : `: ${reason}`
  if (trusted) return `${store} trusts the root certificate${because}`
  return remedy === undefined && !unread
    ? `${store} does not trust the root certificate${because}`
    : `${store} cannot be read${because}`
}
