/** Codes of a second factor, with the vectors of RFC 6238. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createTotpUri, findTotpStep, getTotpStep, writeTotpSecret } from './totp.ts'

// RFC 6238 appendix B: eight digits there, of which an app shows the last six.
const secret = writeTotpSecret(new TextEncoder().encode('12345678901234567890'))
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

test('secret is written in Base32', () => {
  expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
})

describe('findTotpStep', () => {
  test.each(vectors)('at %i s finds the step of %s, as RFC 6238 says', (seconds, code) => {
    proves('second-factor')
    expect(findTotpStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
  })

  test.each([
    ['one step late', 30, true],
    ['one step early', -30, true],
    ['two steps late', 60, false],
    ['two steps early', -60, false],
  ])('accepts a code that is %s: %s', (_, lateS, accepted) => {
    const found = findTotpStep(secret, '005924', (1_234_567_890 + lateS) * 1000)
    expect(found).toBe(accepted ? getTotpStep(1_234_567_890_000) : undefined)
  })

  test.each(['', '5924', '0005924', 'abcdef', '005924 ', '-05924'])('refuses "%s"', (code) => {
    expect(findTotpStep(secret, code, 1_234_567_890_000)).toBeUndefined()
  })
})

test('address names the account and who asks for the code', () => {
  const uri = new URL(createTotpUri(secret, 'ada:lovelace@x', 'Cardwire ds.example'))
  expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(uri.pathname)).toContain('ada:lovelace@x')
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Cardwire ds.example',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
