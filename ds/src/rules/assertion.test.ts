/** Assertions: what is taken, and what each wrong claim is refused with. */
import type { AssertionClaims } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { checkAssertion } from './assertion.ts'

const now = Date.UTC(2026, 0, 1)
const iat = now / 1000
const expected = {
  subject: 'a-device',
  audience: 'https://ds.example',
  method: 'POST',
  path: '/v3/devices/sync',
  now,
  newest: now - 1,
}
const claims: AssertionClaims = {
  iss: 'a-device',
  sub: 'a-device',
  aud: 'https://ds.example',
  htm: 'POST',
  htu: 'https://ds.example/v3/devices/sync',
  iat,
  exp: iat + 60,
  jti: 'j'.repeat(22),
  body: 'b'.repeat(43),
}

test.each([
  ['one made now', {}, undefined],
  ['one made a minute ago', { iat: iat - 60, exp: iat }, 'assertion-replayed'],
  ['one made in a minute', { iat: iat + 60, exp: iat + 120 }, undefined],
  ['one from a clock beyond a minute', { iat: iat + 60.001, exp: iat + 120 }, 'clock-skewed'],
  ['one older than a minute', { iat: iat - 60.001, exp: iat - 0.001 }, 'clock-skewed'],
  ['one that expired 230 s ago', { iat: iat - 290, exp: iat - 230 }, 'clock-skewed'],
  ['one that has just expired', { iat: iat - 10, exp: iat - 0.001 }, 'clock-skewed'],
  ['one as old as the last', { iat: iat - 0.001, exp: iat }, 'assertion-replayed'],
  ['another issuer', { iss: 'b-device' }, 'assertion-refused'],
  ['another subject', { sub: 'b-device' }, 'assertion-refused'],
  ['another device', { iss: 'b-device', sub: 'b-device' }, 'assertion-refused'],
  ['another service', { aud: 'https://other.example' }, 'assertion-refused'],
  ['another method', { htm: 'GET' }, 'assertion-refused'],
  ['another path', { htu: 'https://ds.example/v3/devices/logs' }, 'assertion-refused'],
  ['a path below it', { htu: 'https://ds.example/v3/devices/sync/' }, 'assertion-refused'],
  [
    'the path of another service',
    { htu: 'https://other.example/v3/devices/sync' },
    'assertion-refused',
  ],
  ['one that lives too long', { exp: iat + 61 }, 'assertion-refused'],
  ['one that ends before it begins', { exp: iat - 1 }, 'assertion-refused'],
  [
    'another service by a wrong clock',
    { aud: 'https://other.example', iat: 0, exp: 60 },
    'assertion-refused',
  ],
])('checkAssertion checks %s', (_, change, problem) => {
  proves('assertion-elsewhere')
  expect(checkAssertion({ ...claims, ...change }, expected)?.problem).toBe(problem)
})

test('checkAssertion accepts an assertion that is a minute old when no later one came', () => {
  const late = { ...claims, iat: iat - 60, exp: iat }

  expect(checkAssertion(late, { ...expected, newest: 0 })).toBeUndefined()
})

test.each([
  ['farther ahead than clocks may differ counts no more', 60_001, undefined],
  ['just as far ahead counts', 60_000, 'assertion-replayed'],
])('checkAssertion with a newest assertion %s', (_, ahead, problem) => {
  expect(checkAssertion(claims, { ...expected, newest: now + ahead })?.problem).toBe(problem)
})
