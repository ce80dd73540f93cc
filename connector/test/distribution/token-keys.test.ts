/** Application tokens against the keys of the last reply, the clock of the service, and the key set it publishes. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createTokenVerifier } from '../../src/api/token-verifier.ts'
import { Unreachable } from '../../src/distribution/client/connection-options.ts'
import { createTokenKeyResolver } from '../../src/distribution/client/token-keys.ts'
import type { HttpResponse } from '../../src/distribution/client/transport.ts'

const issuer = 'https://ds.example'
const minute = 60_000

interface Signer {
  readonly jwk: { kty: string; kid: string; alg: string; use: 'sig' }
  token(iat: number): Promise<string>
}

async function createSigner(kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kty: 'EC', kid, alg: 'ES256', use: 'sig' as const }
  return {
    jwk,
    token: (ms) =>
      new SignJWT({ sub: 'shop', aud: 'cardwire-connector', iss: issuer })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'cw-app+jwt' })
        .setIssuedAt(ms / 1000)
        .setExpirationTime(ms / 1000 + 1200)
        .sign(privateKey),
  }
}

let now: number
let offsetMs: number
let fetches: number
let keySetResponse: () => Promise<HttpResponse>
let policy: { tokenKeys: Signer['jwk'][] } | undefined

beforeEach(() => {
  now = Date.UTC(2026, 10, 21)
  offsetMs = 0
  fetches = 0
  policy = undefined
  publish()
})

function publish(...signers: Signer[]): void {
  const body = new TextEncoder().encode(JSON.stringify({ keys: signers.map(({ jwk }) => jwk) }))
  keySetResponse = async () => ({ status: 200, headers: {}, body })
}

const createVerifier = () =>
  createTokenVerifier(
    true,
    {
      getKey: createTokenKeyResolver({
        dsUrl: issuer,
        transport: ({ url }) => {
          expect(url).toBe(`${issuer}/.well-known/jwks.json`)
          fetches += 1
          return keySetResponse()
        },
        policy: () => policy,
        clock: () => now,
      }),
      issuers: () => [issuer],
      clockOffsetMs: () => offsetMs,
    },
    () => now,
  )

test('a key of the last reply needs no request', async () => {
  const known = await createSigner('known')
  policy = { tokenKeys: [known.jwk] }
  expect(await createVerifier().verify(await known.token(now))).toEqual({
    label: 'shop',
    // Clocks differ, by half a minute at most.
    expiresAt: now + 20 * minute + 30_000,
  })
  expect(fetches).toBe(0)
})

test('concurrent tokens with an unknown key fetch the key set once', async () => {
  const [known, late] = [await createSigner('known'), await createSigner('late')]
  policy = { tokenKeys: [known.jwk] }
  publish(known, late)
  const tokens = createVerifier()
  const token = await late.token(now)
  await Promise.all([tokens.verify(token), tokens.verify(token)])
  await tokens.verify(await known.token(now))
  expect(fetches).toBe(1)
})

test('a token with a key that does not exist fetches the key set once a minute at most, also when the service is unreachable', async () => {
  proves('retired-key-token')
  const [known, foreign] = [await createSigner('known'), await createSigner('foreign')]
  policy = { tokenKeys: [known.jwk] }
  keySetResponse = () => Promise.reject(new Unreachable('no connection'))
  const tokens = createVerifier()
  const token = await foreign.token(now)
  for (let n = 0; n < 5; n += 1) await expect(tokens.verify(token)).rejects.toThrow()
  expect(fetches).toBe(1)
  await tokens.verify(await known.token(now))
  now += minute
  await expect(tokens.verify(token)).rejects.toThrow()
  expect(fetches).toBe(2)
})

test('a key that the next reply does not have is refused from then on', async () => {
  proves('retired-key-token')
  const [old, next] = [await createSigner('old'), await createSigner('next')]
  publish(old)
  const tokens = createVerifier()
  await tokens.verify(await old.token(now))
  policy = { tokenKeys: [next.jwk] }
  publish(next)
  await expect(tokens.verify(await old.token(now))).rejects.toThrow()
  await tokens.verify(await next.token(now))
})

test('tokens are verified on the clock of the service, and expire on ours', async () => {
  const known = await createSigner('known')
  policy = { tokenKeys: [known.jwk] }
  const theirs = now + 60 * minute
  const token = await known.token(theirs)
  await expect(createVerifier().verify(token)).rejects.toThrow()
  offsetMs = 60 * minute
  expect((await createVerifier().verify(token)).expiresAt).toBe(now + 20 * minute + 30_000)
  now += 21 * minute
  await expect(createVerifier().verify(token)).rejects.toThrow(/exp/)
})
