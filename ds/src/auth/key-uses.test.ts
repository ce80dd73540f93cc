import { expect, test } from 'vitest'
import { createLog } from '../../../test/bed/log.ts'
import type { Database } from '../db/database.ts'
import { createKeyUses } from './key-uses.ts'

/** A database that counts updates, and can refuse them. */
function createCountingDatabase() {
  const state = { updates: 0, isRefusing: false }
  const where = async () => {
    state.updates += 1
    if (state.isRefusing) throw new Error('disk full')
  }
  return { state, db: { update: () => ({ set: () => ({ where }) }) } as unknown as Database }
}

test('a use is written once a day and label, and again on the next day', async () => {
  const { state, db } = createCountingDatabase()
  let now = Date.UTC(2026, 0, 1)
  const note = createKeyUses({ db, clock: () => now, log: createLog([]) })
  for (const label of ['shop', 'shop', 'bank', 'shop']) await note(label)
  expect(state.updates).toBe(2)
  now += 86_400_000
  await note('shop')
  expect(state.updates).toBe(3)
})

test('a write that fails is logged, does not fail the request, and is tried again at the next use', async () => {
  const lines: string[] = []
  const { state, db } = createCountingDatabase()
  const note = createKeyUses({ db, clock: () => 0, log: createLog(lines) })
  state.isRefusing = true
  await note('shop')
  expect(lines).toEqual([expect.stringContaining('use of an API key not noted')])
  state.isRefusing = false
  await note('shop')
  await note('shop')
  expect(state.updates).toBe(2)
})
