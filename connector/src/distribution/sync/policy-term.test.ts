/** The term of a policy: its states by time, and which readings of the clock count. */
import { describe, expect, test } from 'vitest'
import { judgeTerm, toPolicyStatus, toPolicyTerm, toPolicyTime } from './policy-term.ts'

const day = 86_400_000
const from = Date.UTC(2026, 10, 1)

describe('judgeTerm', () => {
  test.each([
    [90, 0, 'good'],
    [90, 75.9, 'good'],
    [90, 76, 'ending'],
    [90, 89.9, 'ending'],
    [90, 90, 'expired'],
    [90, 900, 'expired'],
    [10, 4.9, 'good'],
    [10, 5, 'ending'],
    [10, 10, 'expired'],
  ])('of %d days is after %d days %s', (days, passed, state) => {
    expect(judgeTerm({ from, until: from + days * day }, from + passed * day)).toBe(state)
  })
})

describe('toPolicyTerm', () => {
  const reply = { iat: from / 1000 } as Parameters<typeof toPolicyTerm>[0]

  test('of a reply without an end is none', () => {
    expect(toPolicyTerm(reply)).toBeUndefined()
  })

  test('is what the service has signed', () => {
    const until = from + 7 * day
    expect(toPolicyTerm({ ...reply, exp: until / 1000 })).toEqual({ from, until })
  })
})

describe('toPolicyTime', () => {
  const term = { from, until: from + 30 * day }
  const received = from + day

  test.each([
    ['a clock that runs on', { now: received, trustedAt: received }, 0, received],
    ['a clock that is 7 s behind', { now: received, trustedAt: received }, 7000, received + 7000],
    ['a jump of years ahead', { now: received + 999 * day, trustedAt: received }, 0, received],
    [
      'a clock set back after it was ahead for weeks, and trusted',
      { now: received, trustedAt: received + 29 * day },
      0,
      received,
    ],
    [
      'a clock set back to before the policy',
      { now: from - 999 * day, trustedAt: from + 40 * day },
      0,
      from + 40 * day,
    ],
    [
      'a clock that was years off at the synchronization',
      { now: received, trustedAt: received },
      999 * day,
      received,
    ],
  ])('by %s', (_, readings, offsetMs, expected) => {
    expect(toPolicyTime(term, readings, offsetMs)).toBe(expected)
  })
})

test('a policy that is ending is shown with its end', () => {
  const now = from + 20 * day
  const term = { from, until: from + 30 * day }
  expect(toPolicyStatus(term, { now, trustedAt: now }, 0)).toEqual({
    state: 'ending',
    until: '2026-12-01T00:00:00.000Z',
  })
})
