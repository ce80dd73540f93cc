/** The requests that wait for one agent, and the long poll with which the agent fetches them. */

import type { Clock } from '../system/clock.ts'
import type { AgentRequest } from '../system/ipc/registry-messages.ts'

/** Milliseconds. */
export interface QueueTimeouts {
  /** An idle poll is answered with nothing after this. */
  readonly idlePollMs: number
  /** An agent that has not polled for so long counts as gone. */
  readonly missedPollMs: number
  /** The same after a poll whose connection broke: an agent that still runs reconnects at once. */
  readonly reconnectMs: number
}

/** A request as the agent receives it. */
export type DeliveredRequest = AgentRequest & {
  /** Milliseconds from its arrival until the registry stops waiting. */
  readonly expiresInMs?: number | undefined
}

export interface AgentQueue {
  /** `deadline`: on the clock. Returns a function that takes the request out again; undefined when the queue is full. */
  enqueue(request: AgentRequest, deadline?: number): (() => void) | undefined
  /** Resolves with the requests that have come, `[]` when none come in time. `aborted`: the agent has disconnected. */
  poll(aborted: AbortSignal): Promise<readonly DeliveredRequest[]>
  /** Answers a waiting poll with what is queued. */
  flush(): void
  close(): void
}

/** Requests that may wait for one agent, and those that one poll delivers: a response has to stay bounded. */
export const queueLimits = { queued: 1000, perPoll: 200 } as const
/** How long a response travels back to the registry, in milliseconds. */
const responseTravelMs = 50

interface QueuedRequest {
  readonly request: AgentRequest
  readonly deadline: number | undefined
}

/** `onGone` is called once, when the agent has not polled for too long. */
export function createAgentQueue(
  clock: Clock,
  timeouts: QueueTimeouts,
  onGone: () => void,
): AgentQueue {
  const queued: QueuedRequest[] = []
  let resolvePoll: ((requests: readonly DeliveredRequest[]) => void) | undefined
  let closed = false
  let cancelGone = clock.after(timeouts.missedPollMs, onGone)

  /** Ends the waiting poll. A second request of the same moment waits for the next poll. */
  function flush(): void {
    const resolve = resolvePoll
    if (!resolve) return
    resolvePoll = undefined
    const now = clock.now()
    resolve(queued.splice(0, queueLimits.perPoll).map((entry) => toDelivered(entry, now)))
  }

  return {
    enqueue(request, deadline) {
      if (queued.length >= queueLimits.queued) return undefined
      const entry = { request, deadline }
      queued.push(entry)
      flush()
      return () => {
        const index = queued.indexOf(entry)
        if (index >= 0) queued.splice(index, 1)
      }
    },
    async poll(aborted) {
      flush()
      cancelGone()
      const { promise, resolve } = Promise.withResolvers<readonly DeliveredRequest[]>()
      const flushOwn = () => resolvePoll === resolve && flush()
      resolvePoll = resolve
      const cancelIdle = clock.after(timeouts.idlePollMs, flushOwn)
      aborted.addEventListener('abort', flushOwn)
      if (queued.length > 0 || aborted.aborted || closed) flush()
      const requests = await promise
      cancelIdle()
      aborted.removeEventListener('abort', flushOwn)
      // A newer poll may wait in its place.
      if (resolvePoll === undefined && !closed) {
        cancelGone()
        cancelGone = clock.after(
          aborted.aborted ? timeouts.reconnectMs : timeouts.missedPollMs,
          onGone,
        )
      }
      return requests
    },
    flush,
    close() {
      closed = true
      cancelGone()
      flush()
    },
  }
}

/** The agent learns how long its answer is waited for, not when it has to be there: its clock may be another. */
const toDelivered = ({ request, deadline }: QueuedRequest, now: number): DeliveredRequest => ({
  ...request,
  ...(deadline !== undefined && {
    expiresInMs: Math.max(0, Math.floor(deadline - now - responseTravelMs)),
  }),
})
