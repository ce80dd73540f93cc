/** Assertions: what is taken, and what each wrong claim is refused with. */
import type { AssertionClaims } from '@cardwire/client/protocol'
import { expect, test } from 'vitest'
import { checkAssertion } from './assertion.ts'

const now = Date.UTC(2026, 0, 1)
const iat = now / 1000
const expected = {
  subject: 'a-device',
  audience: 'https://ds.example',
  now,
  newest: now - 1,
}
const claims: AssertionClaims = {
  iss: 'a-device',
  sub: 'a-device',
  aud: 'https://ds.example',
  iat,
  exp: iat + 60,
  jti: 'j'.repeat(22),
  body: 'b'.repeat(43),
}

test.each([
  ['one made now', {}, undefined],
  ['one made five minutes ago', { iat: iat - 300, exp: iat - 240 }, 'assertion-replayed'],
  ['one made in five minutes', { iat: iat + 300, exp: iat + 360 }, undefined],
  ['one from a clock beyond five minutes', { iat: iat + 300.001, exp: iat + 360 }, 'clock-skewed'],
  ['one older than five minutes', { iat: iat - 300.001, exp: iat - 250 }, 'clock-skewed'],
  ['one as old as the last', { iat: iat - 0.001, exp: iat }, 'assertion-replayed'],
  ['another issuer', { iss: 'b-device' }, 'assertion-refused'],
  ['another subject', { sub: 'b-device' }, 'assertion-refused'],
  ['another device', { iss: 'b-device', sub: 'b-device' }, 'assertion-refused'],
  ['another service', { aud: 'https://other.example' }, 'assertion-refused'],
  ['one that lives too long', { exp: iat + 61 }, 'assertion-refused'],
  ['one that ends before it begins', { exp: iat - 1 }, 'assertion-refused'],
  [
    'another service by a wrong clock',
    { aud: 'https://other.example', iat: 0, exp: 60 },
    'assertion-refused',
  ],
])('checkAssertion checks %s', (_, change, problem) => {
  expect(checkAssertion({ ...claims, ...change }, expected)?.problem).toBe(problem)
})

test('checkAssertion accepts an assertion that is five minutes old when no later one came', () => {
  const late = { ...claims, iat: iat - 300, exp: iat - 240 }

  expect(checkAssertion(late, { ...expected, newest: 0 })).toBeUndefined()
})

test.each([
  ['farther ahead than clocks may differ counts no more', 300_001, undefined],
  ['just as far ahead counts', 300_000, 'assertion-replayed'],
])('checkAssertion with a newest assertion %s', (_, ahead, problem) => {
  expect(checkAssertion(claims, { ...expected, newest: now + ahead })?.problem).toBe(problem)
})
