/** Sends responses to the registry in batches, one batch at a time, in order. */
import type { AgentResponse } from '../../system/ipc/registry-messages.ts'

/** What a batch has; the registry reads requests up to a megabyte, with up to 1000 responses. */
const maxBatch = { bytes: 512 * 1024, responses: 500 } as const

/** `send` must not reject. */
export function createResponseQueue(
  send: (responses: readonly AgentResponse[]) => Promise<void>,
): (response: AgentResponse) => void {
  const waiting: { readonly response: AgentResponse; readonly size: number }[] = []
  let isSending = false
  return (response) => {
    waiting.push({ response, size: JSON.stringify(response).length })
    if (!isSending) void sendAll()
  }

  async function sendAll(): Promise<void> {
    isSending = true
    while (waiting.length > 0) await send(takeBatch())
    isSending = false
  }

  function takeBatch(): readonly AgentResponse[] {
    let size = 0
    let count = 0
    for (const next of waiting) {
      size += next.size
      if (count > 0 && (size > maxBatch.bytes || count >= maxBatch.responses)) break
      count += 1
    }
    return waiting.splice(0, count).map(({ response }) => response)
  }
}
