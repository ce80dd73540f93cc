/** Sends responses to the registry in batches, one batch at a time, in order. */
import type { Clock } from '../../system/clock.ts'
import type { AgentResponse } from '../../system/ipc/registry-messages.ts'

/** What a batch has; the registry reads requests up to a megabyte, with up to 1000 responses. */
const maxBatch = { bytes: 512 * 1024, responses: 500 } as const

/** What waits at most: a registry that takes no responses must not fill the memory. */
const maxWaiting = { bytes: 8 * 1024 ** 2, responses: 2000 } as const

interface WaitingResponse {
  readonly response: AgentResponse
  readonly size: number
  /** When the registry no longer waits for it, on the clock. */
  readonly deadline: number
}

/** Returns false for a response that is dropped, because too many wait. */
export type PutResponse = (response: AgentResponse, deadline: number) => boolean

/** `send` must not reject. Responses whose deadline has passed are not sent. */
export function createResponseQueue(
  send: (responses: readonly AgentResponse[]) => Promise<void>,
  clock: Pick<Clock, 'now'>,
): PutResponse {
  let waiting: WaitingResponse[] = []
  let waitingBytes = 0
  let isSending = false
  return (response, deadline) => {
    const size = JSON.stringify(response).length
    if (isFull(size)) dropExpired()
    if (isFull(size)) return false
    waiting.push({ response, size, deadline })
    waitingBytes += size
    if (!isSending) void sendAll()
    return true
  }

  function isFull(size: number): boolean {
    return waiting.length >= maxWaiting.responses || waitingBytes + size > maxWaiting.bytes
  }

  function dropExpired(): void {
    const now = clock.now()
    waiting = waiting.filter(({ deadline }) => deadline > now)
    waitingBytes = waiting.reduce((sum, { size }) => sum + size, 0)
  }

  async function sendAll(): Promise<void> {
    isSending = true
    while (waiting.length > 0) {
      const batch = takeBatch()
      if (batch.length > 0) await send(batch)
    }
    isSending = false
  }

  function takeBatch(): readonly AgentResponse[] {
    dropExpired()
    let size = 0
    let count = 0
    for (const next of waiting) {
      size += next.size
      if (count > 0 && (size > maxBatch.bytes || count >= maxBatch.responses)) break
      count += 1
    }
    const batch = waiting.splice(0, count)
    waitingBytes -= batch.reduce((sum, { size }) => sum + size, 0)
    return batch.map(({ response }) => response)
  }
}
