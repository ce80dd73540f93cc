/** What the service says about cards: read anew when the policy changes. */
import { parseCardSettings } from '@cardwire/protocol/card-settings'
import type { CardSettingsSource } from '../../user/consent/grants.ts'
import type { Policy } from '../client/verify-reply.ts'

export interface CardPolicy extends CardSettingsSource {
  /** Reads the policy again, and calls the listeners when it says something else. */
  refresh(): void
}

export function createCardPolicy(policy: () => Pick<Policy, 'cards'> | undefined): CardPolicy {
  const listeners = new Set<() => void>()
  const read = () => parseCardSettings(policy()?.cards ?? nothing)
  let current = read()
  return {
    current: () => current,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh() {
      const before = JSON.stringify(current)
      current = read()
      if (JSON.stringify(current) !== before) for (const listener of listeners) listener()
    },
  }
}

const nothing = { grants: [], libraries: [], folders: [] }
