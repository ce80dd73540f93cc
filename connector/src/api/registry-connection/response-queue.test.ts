/** Batches of responses: in order, one at a time, none too large. */
import { expect, test } from 'vitest'
import { flushPromises } from '../../../test/registry/manual-clock.ts'
import type { AgentResponse } from '../../system/ipc/registry-messages.ts'
import { createResponseQueue } from './response-queue.ts'

const denied = (): AgentResponse => ({ kind: 'denied', id: crypto.randomUUID() })

test('responses that arrive while a batch is sent go together in the next', async () => {
  const batches: (readonly AgentResponse[])[] = []
  const sent = Promise.withResolvers<void>()
  const put = createResponseQueue(async (responses) => {
    batches.push(responses)
    await sent.promise
  })
  const responses = [denied(), denied(), denied()]
  for (const response of responses) put(response)
  expect(batches).toEqual([responses.slice(0, 1)])
  sent.resolve()
  await flushPromises()
  expect(batches).toEqual([responses.slice(0, 1), responses.slice(1)])
})

test('no batch is larger than the registry accepts', async () => {
  const batches: (readonly AgentResponse[])[] = []
  const put = createResponseQueue(async (responses) => void batches.push(responses))
  const large = (): AgentResponse => ({
    kind: 'granted',
    id: crypto.randomUUID(),
    // As many bytes as thirty-two consents.
    proof: 'x'.repeat(200_000),
    granted: { consent: '', agent: {} as never },
  })
  for (let count = 0; count < 7; count += 1) put(large())
  await flushPromises()
  expect(batches.flat()).toHaveLength(7)
  for (const batch of batches) expect(JSON.stringify(batch).length).toBeLessThan(1024 * 1024)
})
