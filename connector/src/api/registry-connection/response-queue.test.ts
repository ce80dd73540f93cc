/** Batches of responses: in order, one at a time, none too large. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createManualClock, flushPromises } from '../../../test/registry/manual-clock.ts'
import type { AgentResponse } from '../../system/ipc/registry-messages.ts'
import { createResponseQueue } from './response-queue.ts'

const denied = (): AgentResponse => ({ kind: 'denied', id: crypto.randomUUID() })

test('responses that arrive while a batch is sent go together in the next', async () => {
  const batches: (readonly AgentResponse[])[] = []
  const sent = Promise.withResolvers<void>()
  const put = createResponseQueue(async (responses) => {
    batches.push(responses)
    await sent.promise
  }, createManualClock())
  const responses = [denied(), denied(), denied()]
  for (const response of responses) put(response, 1)
  expect(batches).toEqual([responses.slice(0, 1)])
  sent.resolve()
  await flushPromises()
  expect(batches).toEqual([responses.slice(0, 1), responses.slice(1)])
})

test('no batch is larger than the registry accepts', async () => {
  const batches: (readonly AgentResponse[])[] = []
  const put = createResponseQueue(
    async (responses) => void batches.push(responses),
    createManualClock(),
  )
  const large = (): AgentResponse => ({
    kind: 'granted',
    id: crypto.randomUUID(),
    // As many bytes as thirty-two consents.
    proof: 'x'.repeat(200_000),
    granted: { consent: '', agent: {} as never },
  })
  for (let count = 0; count < 7; count += 1) put(large(), 1)
  await flushPromises()
  expect(batches.flat()).toHaveLength(7)
  for (const batch of batches) expect(JSON.stringify(batch).length).toBeLessThan(1024 * 1024)
})

test('responses that wait for longer than the registry are dropped, and so are those beyond what may wait', async () => {
  proves('registry-floods')
  const clock = createManualClock()
  const batches: (readonly AgentResponse[])[] = []
  const sent = Promise.withResolvers<void>()
  const put = createResponseQueue(async (responses) => {
    batches.push(responses)
    await sent.promise
  }, clock)
  put(denied(), 3000)
  let waiting = 0
  while (put(denied(), 3000) && waiting < 10_000) waiting += 1
  expect(waiting).toBe(2000)
  await clock.pass(3000)
  const late = denied()
  expect(put(late, 6000)).toBe(true)
  sent.resolve()
  await flushPromises()
  expect(batches.slice(1)).toEqual([[late]])
})

test('responses of 8 MiB wait at most', () => {
  proves('registry-floods')
  const put = createResponseQueue(() => new Promise(() => undefined), createManualClock())
  const large = (): AgentResponse => ({
    kind: 'granted',
    id: crypto.randomUUID(),
    proof: 'x'.repeat(1_000_000),
    granted: { consent: '', agent: {} as never },
  })
  put(denied(), 1)
  let waiting = 0
  while (put(large(), 1) && waiting < 100) waiting += 1
  expect(waiting).toBe(8)
})

test('a response that has expired while others were sent is not sent', async () => {
  proves('registry-floods')
  const clock = createManualClock()
  const batches: (readonly AgentResponse[])[] = []
  const sent = Promise.withResolvers<void>()
  const put = createResponseQueue(async (responses) => {
    batches.push(responses)
    await sent.promise
  }, clock)
  const kept = denied()
  put(denied(), 3000)
  put(denied(), 3000)
  put(kept, 3001)
  await clock.pass(3000)
  sent.resolve()
  await flushPromises()
  expect(batches.slice(1)).toEqual([[kept]])
})
