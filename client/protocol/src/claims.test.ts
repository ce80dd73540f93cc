/** Claims are read from what has the form of a token; everything else has none. */
import { expect, test } from 'vitest'
import { readClaims } from './claims.ts'

const jwt = (claims: string) => `a.${Buffer.from(claims).toString('base64url')}.c`

test.each<[string, string, object]>([
  ['times', jwt('{"iat":1,"exp":2,"sub":"Zoë?>"}'), { iat: 1, exp: 2 }],
  ['no JSON', jwt('noise'), {}],
  ['null', jwt('null'), {}],
  ['nothing', 'a', {}],
])('a token that says %s', (_, text, claims) => {
  expect(readClaims(text)).toMatchObject(claims)
})
