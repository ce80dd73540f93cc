/** What the registry takes from agents at most, and what it answers when more comes. */
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { answerHostileBodies } from '../../../../test/bed/answer-hostile-bodies.ts'
import { listUnboundedLists } from '../../../../test/bed/hostile-bodies.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { pollAgent, registerAgent, respondAgent } from './registry-messages.ts'

const operations = [registerAgent, pollAgent, respondAgent]

test('every list that the registry takes has a largest length', () => {
  proves('large-answers')
  expect(operations.flatMap(listUnboundedLists)).toEqual([])
})

test('the registry answers every hostile body with a small problem', async () => {
  proves('large-answers')
  let count = 0
  for await (const { name, status, bytes, text } of answerHostileBodies(new Hono(), operations)) {
    count += 1
    expect(bytes, name).toBeLessThan(16_384)
    expect([400, 404, 413, 422], `${name}: ${text.slice(0, 200)}`).toContain(status)
  }
  expect(count).toBeGreaterThan(100)
})
