/** The origins that a registry answers: those of the settings, and those of every API it has seen. */
import type { Registration } from '../agent/protocol.ts'

/** Lists that are remembered, the latest ones. */
const mostLists = 200
/** Origins in all. */
const mostOrigins = 50_000

export interface Allowlist {
  origins(): readonly string[]
  /** Kept when the API goes, so that its pages get an answer they can read while it starts again. */
  learn(registration: Pick<Registration, 'agentId' | 'allowlist'>): void
}

export function createAllowlist(own: readonly string[]): Allowlist {
  const lists = new Map<string, readonly string[]>()
  let origins = own
  return {
    origins: () => origins,
    learn({ agentId, allowlist }) {
      lists.delete(agentId)
      lists.set(agentId, allowlist)
      const [oldest] = lists.keys()
      if (lists.size > mostLists && oldest !== undefined) lists.delete(oldest)
      const learnt = [...lists.values()].toReversed().flat()
      origins = [...new Set([...own, ...learnt])].slice(0, mostOrigins)
    },
  }
}
