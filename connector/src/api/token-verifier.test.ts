/** Which application tokens are accepted, and which are refused. */
import {
  createLocalJWKSet,
  errors,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { TokenVerifier } from './api-services.ts'
import { createTokenVerifier, isTokenFault } from './token-verifier.ts'

const issuer = 'https://ds.example'
const now = Date.parse('2026-11-21T12:00:00Z')
const nowS = now / 1000

let pair: CryptoKeyPair
let stranger: CryptoKeyPair
let spki: string
let publicJwk: object
let tokens: TokenVerifier

beforeAll(async () => {
  ;[pair, stranger] = await Promise.all([
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('ES256', { extractable: true }),
  ])
  spki = await exportSPKI(pair.publicKey)
  publicJwk = { ...(await exportJWK(pair.publicKey)), kid: 'one' }
  const key = createLocalJWKSet({ keys: [{ kty: 'EC', ...publicJwk }] })
  tokens = createTokenVerifier(
    true,
    { getKey: key, issuers: () => [issuer], clockOffsetMs: () => 0 },
    () => now,
  )
})

const claims = {
  iss: issuer,
  sub: 'shop',
  aud: 'cardwire-connector',
  iat: nowS - 60,
  exp: nowS + 600,
}
const header = { alg: 'ES256', kid: 'one', typ: 'cw-app+jwt' }

const signed = (
  changes: object = {},
  headers: Partial<JWTHeaderParameters> = {},
  key: CryptoKey | Uint8Array = pair.privateKey,
) => new SignJWT({ ...claims, ...changes }).setProtectedHeader({ ...header, ...headers }).sign(key)

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const bytes = (text: string) => new TextEncoder().encode(text)

test('a token of the service is accepted, with its label and expiry', async () => {
  expect(await tokens.verify(await signed())).toEqual({
    label: 'shop',
    // Clocks differ, by half a minute at most.
    expiresAt: (nowS + 630) * 1000,
  })
})

describe('token that is refused', () => {
  test.each<readonly [string, object, Partial<JWTHeaderParameters>]>([
    ['that has expired', { exp: nowS - 31 }, {}],
    ['that is older than the longest lifetime', { iat: nowS - 1300 }, {}],
    ['that is not valid yet', { nbf: nowS + 600 }, {}],
    ['without an end', { exp: undefined }, {}],
    ['without its time', { iat: undefined }, {}],
    ['without a label', { sub: undefined }, {}],
    ['of another issuer', { iss: 'https://other.example' }, {}],
    ['whose issuer only begins alike', { iss: `${issuer}.evil.example` }, {}],
    ['of no issuer', { iss: undefined }, {}],
    ['for somebody else', { aud: 'cardwire-ds' }, {}],
    ['of administrators', {}, { typ: 'at+jwt' }],
    ['of devices', {}, { typ: 'cw-device+jwt' }],
    ['of no type', {}, { typ: undefined as never }],
    ['of an unknown key', {}, { kid: 'two' }],
  ])('%s', async (_, changes, headers) => {
    proves('token-issuer-algorithm')
    await expect(tokens.verify(await signed(changes, headers))).rejects.toThrow()
  })

  test.each(['none', 'None', 'HS256', 'ES256', 'RS256'])(
    'without a signature that says %s',
    async (alg) => {
      await expect(
        tokens.verify(`${encoded({ ...header, alg })}.${encoded(claims)}.`),
      ).rejects.toThrow()
    },
  )

  test('signed with the public key as a secret, in whatever spelling', async () => {
    proves('token-issuer-algorithm')
    const spellings = [spki, spki.trim(), JSON.stringify(publicJwk)]
    for (const secret of spellings) {
      const token = await signed({}, { alg: 'HS256' }, bytes(secret))
      await expect(tokens.verify(token)).rejects.toThrow()
    }
  })

  test('that contains its own key, or the address of one', async () => {
    const own = await exportJWK(stranger.publicKey)
    for (const headers of [{ jwk: own }, { jku: 'https://evil.example/jwks.json' }, {}]) {
      const token = await signed({}, headers, stranger.privateKey)
      await expect(tokens.verify(token)).rejects.toThrow()
    }
  })

  test('whose claims were changed after it was signed', async () => {
    const [head, , signature] = (await signed()).split('.')
    const changed = encoded({ ...claims, sub: 'other' })
    await expect(tokens.verify(`${head}.${changed}.${signature}`)).rejects.toThrow()
  })
})

test.each<[string, unknown, boolean]>([
  ['has expired', new errors.JWTExpired('"exp" claim timestamp check failed', {}), true],
  ['has an unknown key', new errors.JWKSNoMatchingKey(), true],
  ['is no token', new errors.JWTInvalid('Invalid JWT'), true],
  ['has keys that say nothing', new errors.JWKSTimeout(), false],
  ['has keys with status 500', new errors.JOSEError('Expected 200 OK'), false],
  ['has keys that are refused', new TypeError('fetch failed'), false],
])('a token that %s is refused for a fault of the token, or of its keys', (_, error, expected) => {
  expect(isTokenFault(error)).toBe(expected)
})
