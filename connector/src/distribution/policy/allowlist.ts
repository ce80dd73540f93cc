/** The origins whose pages may use the API: those of the policy, and before there is one those of the settings. */
import { parseAllowlist } from '@cardwire/protocol/origin'
import type { Policy } from '../client/verify-reply.ts'

export interface Allowlist {
  entries(): readonly string[]
  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
  /** Reads the policy again, and calls the listeners when the entries changed. */
  refresh(): void
}

export function createAllowlist(
  settingsOrigins: readonly string[],
  policy: () => Pick<Policy, 'cors'> | undefined,
): Allowlist {
  const listeners = new Set<() => void>()
  const readEntries = () => {
    const cors = policy()?.cors
    return cors === undefined ? settingsOrigins : parseAllowlist(cors)
  }
  let entries = readEntries()
  return {
    entries: () => entries,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh() {
      const before = entries
      entries = readEntries()
      if (entries.join() !== before.join()) for (const listener of listeners) listener()
    },
  }
}
