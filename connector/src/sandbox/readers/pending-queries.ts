/** The queries to one sandbox that wait for their replies. */
import type { Clock } from '../../system/clock.ts'
import type { FeatureReply } from '../../system/ipc/sandbox-messages.ts'

/** `timeout`: no reply in time, which ended the sandbox; `ended`: it ended before its reply; `not-sent`: it had ended before. */
export type NoReply = 'timeout' | 'ended' | 'not-sent'

export interface PendingQueries {
  /** The reply to the query with this id. */
  wait(id: number): Promise<FeatureReply | NoReply>
  /** Without effect when no query waits for it. */
  settle(reply: FeatureReply): void
  /** The sandbox has ended. */
  end(): void
}

/** `replyMs`: milliseconds that a reply may take; `onTimeout` is called when one takes longer. */
export function createPendingQueries(
  clock: Clock,
  replyMs: number,
  onTimeout: () => void,
): PendingQueries {
  const pending = new Map<number, (reply: FeatureReply | NoReply) => void>()
  return {
    async wait(id) {
      const { promise, resolve } = Promise.withResolvers<FeatureReply | NoReply>()
      const cancel = clock.after(replyMs, () => {
        resolve('timeout')
        onTimeout()
      })
      pending.set(id, resolve)
      try {
        return await promise
      } finally {
        cancel()
        pending.delete(id)
      }
    },
    settle: (reply) => pending.get(reply.id)?.(reply),
    end() {
      for (const resolve of pending.values()) resolve('ended')
    },
  }
}
