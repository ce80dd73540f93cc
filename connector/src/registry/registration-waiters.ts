/** Requests that wait until an agent with a given id registers. */
import type { Clock } from '../system/clock.ts'

export interface RegistrationWaiters {
  /** Resolves when an agent with this id registers, at the latest after `maxMs` milliseconds. */
  wait(agentId: string, maxMs: number): Promise<void>
  /** Ends the waits for this agent id. */
  notify(agentId: string): void
}

export function createRegistrationWaiters(clock: Clock): RegistrationWaiters {
  const waiters = new Map<string, (() => void)[]>()
  return {
    async wait(agentId, maxMs) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiters.set(agentId, [...(waiters.get(agentId) ?? []), resolve])
      const cancel = clock.after(maxMs, resolve)
      await promise
      cancel()
      const others = (waiters.get(agentId) ?? []).filter((waiter) => waiter !== resolve)
      if (others.length > 0) waiters.set(agentId, others)
      else waiters.delete(agentId)
    },
    notify(agentId) {
      for (const resolve of waiters.get(agentId) ?? []) resolve()
    },
  }
}
