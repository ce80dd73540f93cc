/** The origins whose pages may ask: those of the service once it has said some, before that those of the settings. */
import type { Policy } from './state.ts'

export interface Allowlist {
  entries(): readonly string[]
  onChange(listener: () => void): () => void
  /** Looks whether the service has said others, and tells. */
  refresh(): void
}

export function createAllowlist(
  ofSettings: readonly string[],
  policy: () => Pick<Policy, 'cors'> | undefined,
): Allowlist {
  const listeners = new Set<() => void>()
  const current = () => policy()?.cors ?? ofSettings
  let entries = current()
  return {
    entries: () => entries,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh() {
      const before = entries
      entries = current()
      if (entries.join() !== before.join()) for (const listener of listeners) listener()
    },
  }
}
