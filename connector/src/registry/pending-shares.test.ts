/** How many requests may wait, by user. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createPendingShares } from './pending-shares.ts'

const users = ['ada', 'bob', 'mallory', 'mallory']
const agents = { forUser: () => users.map((user) => ({ user })) }

/** How many are counted before one is too many. */
function fill(take: (user: string) => boolean, user: string): number {
  let count = 0
  while (take(user)) count += 1
  return count
}

test('a user gets all but the shares of the others, who always get theirs', () => {
  proves('other-account-floods')
  const shares = createPendingShares(agents)
  const take = shares.open()
  expect(fill(take, 'mallory')).toBe(39_600)
  expect(['ada', 'bob', 'mallory'].map((user) => fill(take, user))).toEqual([200, 200, 0])
  shares.release('mallory')
  expect([take('ada'), take('mallory'), take('mallory')]).toEqual([true, false, false])
})

test('a user who comes when all room is taken has a share, too', () => {
  proves('other-account-floods')
  const shares = createPendingShares(agents)
  expect(fill(shares.open(), 'mallory')).toBe(39_600)
  users.push('eve')
  expect(fill(shares.open(), 'eve')).toBe(200)
})
