/** Application tokens against the keys of the last reply, the clock of the service, and the keys of the next reply. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createTokenVerifier, isTokenFault } from '../../src/api/token-verifier.ts'
import type { SyncStatus } from '../../src/distribution/sync/sync-status.ts'
import { createTokenKeyResolver } from '../../src/distribution/sync/token-keys.ts'
import { createManualClock, flushPromises, type ManualClock } from '../registry/manual-clock.ts'

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
let synchronizations: number
let status: SyncStatus
/** The end of each synchronization. */
let replied: Promise<void>
let timers: ManualClock
let next: { tokenKeys: Signer['jwk'][] } | undefined
let policy: { tokenKeys: Signer['jwk'][] } | undefined

beforeEach(() => {
  now = Date.UTC(2026, 10, 21)
  offsetMs = 0
  synchronizations = 0
  status = { kind: 'good', at: now }
  replied = Promise.resolve()
  timers = createManualClock()
  policy = next = undefined
})

/** The next reply has these keys. */
function announce(...signers: Signer[]): void {
  next = { tokenKeys: signers.map(({ jwk }) => jwk) }
}

const createVerifier = () =>
  createTokenVerifier(
    true,
    {
      getKey: createTokenKeyResolver({
        policy: () => policy,
        synchronize: async () => {
          synchronizations += 1
          await replied
          if (status.kind === 'good') policy = next ?? policy
          return status
        },
        clock: () => now,
        timers,
      }),
      issuers: () => [issuer],
      clockOffsetMs: () => offsetMs,
    },
    () => now,
  )

test('a key of the last reply needs no synchronization', async () => {
  const known = await createSigner('known')
  policy = { tokenKeys: [known.jwk] }
  expect(await createVerifier().verify(await known.token(now))).toEqual({
    label: 'shop',
    // Clocks differ, by half a minute at most.
    expiresAt: now + 20 * minute + 30_000,
  })
  expect(synchronizations).toBe(0)
})

test('concurrent tokens with an unknown key make the connector synchronize once', async () => {
  const [known, late] = [await createSigner('known'), await createSigner('late')]
  policy = { tokenKeys: [known.jwk] }
  announce(known, late)
  const tokens = createVerifier()
  const token = await late.token(now)
  await Promise.all([tokens.verify(token), tokens.verify(token)])
  await tokens.verify(await known.token(now))
  expect(synchronizations).toBe(1)
})

test('a token with a key that does not exist makes it synchronize once a minute at most, also when the service is unreachable', async () => {
  proves('retired-key-token')
  const [known, foreign] = [await createSigner('known'), await createSigner('foreign')]
  policy = { tokenKeys: [known.jwk] }
  status = { kind: 'unreachable', code: 'no connection', reason: 'no connection' }
  const tokens = createVerifier()
  const token = await foreign.token(now)
  const failure = await tokens.verify(token).catch((error: unknown) => error)
  // The token may be right: the page learns that its keys cannot be had.
  expect(isTokenFault(failure)).toBe(false)
  for (let n = 0; n < 5; n += 1) await expect(tokens.verify(token)).rejects.toThrow()
  expect(synchronizations).toBe(1)
  await tokens.verify(await known.token(now))
  now += minute
  await expect(tokens.verify(token)).rejects.toThrow()
  expect(synchronizations).toBe(2)
})

test('a key that the next reply does not have is refused from then on', async () => {
  proves('retired-key-token')
  const [old, later] = [await createSigner('old'), await createSigner('later')]
  announce(old)
  const tokens = createVerifier()
  await tokens.verify(await old.token(now))
  policy = { tokenKeys: [later.jwk] }
  announce(later)
  await expect(tokens.verify(await old.token(now))).rejects.toThrow()
  await tokens.verify(await later.token(now))
})

test('a token is refused after 15 s, however long the synchronization takes', async () => {
  const late = await createSigner('late')
  const { promise, resolve } = Promise.withResolvers<void>()
  replied = promise
  announce(late)
  const tokens = createVerifier()
  const token = await late.token(now)
  const refused = expect(tokens.verify(token)).rejects.toThrow('it is slow')
  await flushPromises()
  await timers.pass(15_000)
  await refused
  // Its reply counts all the same.
  resolve()
  await flushPromises()
  await tokens.verify(token)
  expect(synchronizations).toBe(1)
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
