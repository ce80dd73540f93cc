/** What the contract takes at most, and what it answers when more comes: every operation, whatever its body. */

import { connectorOperations } from '@cardwire/protocol/connector'
import { dsOperations } from '@cardwire/protocol/ds'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { answerHostileBodies } from '../../test/bed/answer-hostile-bodies.ts'
import { listUnboundedLists } from '../../test/bed/hostile-bodies.ts'
import { proves } from '../../test/bed/proves.ts'

const programs = [
  ['distribution service', dsOperations],
  ['connector', connectorOperations],
] as const

test.each(programs)(
  'every list and record that the %s takes has a largest length',
  (_, operations) => {
    proves('large-answers')
    expect(operations.flatMap(listUnboundedLists)).toEqual([])
  },
)

test.each(programs)(
  'the %s answers every hostile body with a small problem',
  async (_, operations) => {
    proves('large-answers')
    let count = 0
    for await (const { name, status, bytes, text } of answerHostileBodies(new Hono(), operations)) {
      count += 1
      expect(bytes, name).toBeLessThan(16_384)
      expect([400, 404, 413, 422], `${name}: ${text.slice(0, 200)}`).toContain(status)
    }
    expect(count).toBeGreaterThan(500)
  },
)
