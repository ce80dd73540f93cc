/** The ticket of the local page: once, and for 30 seconds. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createPageAccess, ticketMs } from './page-access.ts'

function openAccess() {
  let now = 0
  return {
    access: createPageAccess(() => now),
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('a ticket is exchanged for a token once', () => {
  proves('open-url-read')
  const { access } = openAccess()
  const token = access.exchange(access.ticket)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(access.accepts(token ?? '')).toBe(true)
  expect(access.exchange(access.ticket)).toBeUndefined()
})

test.each([
  [ticketMs - 1, true],
  [ticketMs, false],
])('a ticket after %d ms is exchanged: %s', (ms, isExchanged) => {
  proves('open-url-read')
  const { access, pass } = openAccess()
  pass(ms)
  expect(access.exchange(access.ticket) !== undefined).toBe(isExchanged)
})

test('a wrong ticket leaves the right one as it is', () => {
  const { access } = openAccess()
  expect(access.exchange('wrong')).toBeUndefined()
  expect(access.exchange(access.ticket)).toBeDefined()
})

test.each(['', 'wrong'])('the token "%s" is accepted neither before nor after', (token) => {
  const { access } = openAccess()
  expect(access.accepts(token)).toBe(false)
  access.exchange(access.ticket)
  expect(access.accepts(token)).toBe(false)
})
