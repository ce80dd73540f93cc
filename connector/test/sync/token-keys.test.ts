/** Application tokens against the keys of the last reply, the clock of the service, and the key set it publishes. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { tokenVerifier } from '../../src/api/tokens.ts'
import { type Answer, Unreachable } from '../../src/sync/link.ts'
import { tokenKeys } from '../../src/sync/token-keys.ts'

const issuer = 'https://ds.example'
const minute = 60_000

interface Signer {
  readonly jwk: { kty: string; kid: string; alg: string; use: 'sig' }
  token(iat: number): Promise<string>
}

async function signer(kid: string): Promise<Signer> {
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
let looks: number
let published: () => Promise<Answer>
let policy: { tokenKeys: Signer['jwk'][] } | undefined

beforeEach(() => {
  now = Date.UTC(2026, 10, 21)
  offsetMs = 0
  looks = 0
  policy = undefined
  publish()
})

function publish(...signers: Signer[]): void {
  const body = new TextEncoder().encode(JSON.stringify({ keys: signers.map(({ jwk }) => jwk) }))
  published = async () => ({ status: 200, headers: {}, body })
}

const verifier = () =>
  tokenVerifier(
    true,
    {
      key: tokenKeys({
        dsUrl: issuer,
        link: ({ url }) => {
          expect(url).toBe(`${issuer}/.well-known/jwks.json`)
          looks += 1
          return published()
        },
        policy: () => policy,
        clock: () => now,
      }),
      issuers: () => [issuer],
      offsetMs: () => offsetMs,
    },
    () => now,
  )

test('a key of the last reply is enough: nobody is asked', async () => {
  const known = await signer('known')
  policy = { tokenKeys: [known.jwk] }
  expect(await verifier().verify(await known.token(now))).toEqual({
    label: 'shop',
    // Clocks differ, by half a minute at most.
    expiresAt: now + 20 * minute + 30_000,
  })
  expect(looks).toBe(0)
})

test('a key that is not known is looked for once, and by many at once only once', async () => {
  const [known, late] = [await signer('known'), await signer('late')]
  policy = { tokenKeys: [known.jwk] }
  publish(known, late)
  const tokens = verifier()
  const token = await late.token(now)
  await Promise.all([tokens.verify(token), tokens.verify(token)])
  await tokens.verify(await known.token(now))
  expect(looks).toBe(1)
})

test('one that nobody has is looked for once a minute at most, also when the service is away', async () => {
  const [known, foreign] = [await signer('known'), await signer('foreign')]
  policy = { tokenKeys: [known.jwk] }
  published = () => Promise.reject(new Unreachable('no connection'))
  const tokens = verifier()
  const token = await foreign.token(now)
  for (let n = 0; n < 5; n += 1) await expect(tokens.verify(token)).rejects.toThrow()
  expect(looks).toBe(1)
  await tokens.verify(await known.token(now))
  now += minute
  await expect(tokens.verify(token)).rejects.toThrow()
  expect(looks).toBe(2)
})

test('a key that the next reply does not name any more is worthless from then on', async () => {
  const [old, next] = [await signer('old'), await signer('next')]
  publish(old)
  const tokens = verifier()
  await tokens.verify(await old.token(now))
  policy = { tokenKeys: [next.jwk] }
  publish(next)
  await expect(tokens.verify(await old.token(now))).rejects.toThrow()
  await tokens.verify(await next.token(now))
})

test('the clock of the service counts, and the end is told by ours', async () => {
  const known = await signer('known')
  policy = { tokenKeys: [known.jwk] }
  const theirs = now + 60 * minute
  const token = await known.token(theirs)
  await expect(verifier().verify(token)).rejects.toThrow()
  offsetMs = 60 * minute
  expect((await verifier().verify(token)).expiresAt).toBe(now + 20 * minute + 30_000)
  now += 21 * minute
  await expect(verifier().verify(token)).rejects.toThrow(/exp/)
})
