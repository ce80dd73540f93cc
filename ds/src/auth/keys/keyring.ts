/** The signing keys as the service uses them: signs, verifies, publishes, rotates with overlap. */
import { Problem, type SigningKeyUse } from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { OperationAudit } from '../../db/audit.ts'
import { explainCondition } from '../../db/batch-conditions.ts'
import { signingKeys } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import { getKeyStates } from '../../rules/key-states.ts'
import { nodeClockSkewS } from '../../rules/steady-clock.ts'
import type { KeyStoreParts } from './key-rows.ts'
import { createKeyStore, type KeyStore, maxAnnounced } from './key-store.ts'
import type { LoadedKey, PublishedKey } from './signing-key.ts'

export interface Keyring {
  /** The key that signs now. */
  findSigningKey(use: SigningKeyUse): Promise<LoadedKey>
  /** Signs claims with the key that signs now. The caller sets `iat` and the like. */
  sign(use: SigningKeyUse, typ: string, claims: JWTPayload, options?: SignOptions): Promise<string>
  /** The claims of a token that one of the service's keys signed. Throws a JOSEError when anything about it is wrong. */
  verify(use: SigningKeyUse, token: string, expected: ExpectedClaims): Promise<JWTPayload>
  /** Every key that is still in use, oldest first. */
  list(use: SigningKeyUse): Promise<readonly PublishedKey[]>
  /** Announces a new key, or the standby key. Throws `changed-meanwhile`, or `too-many-requests`. */
  rotate(use: SigningKeyUse, audit: OperationAudit): Promise<PublishedKey>
  /** Takes a key out of use at once; false when no key has this id. */
  retire(id: string, audit: OperationAudit): Promise<boolean>
}

interface SignOptions {
  /** Puts the public key into the header, for readers who know only its fingerprint. */
  readonly includeKey?: boolean
}

interface ExpectedClaims {
  readonly typ: string
  readonly issuer: string
  readonly audience: string
}

/**
 * How long the keys are kept in memory before they are read again, in milliseconds: so long a key that another node has
 * taken out of use is accepted, and one that it has added is not.
 */
const maxAgeMs = 1000

export function createKeyring(parts: KeyStoreParts): Keyring {
  const { db, clock } = parts
  const store = createKeyStore(parts)
  const { reload, readCached } = createKeyCache(store, clock)
  const overlapMs = parts.settings.keyOverlapS * 1000
  const addStates = (keys: readonly LoadedKey[]) => {
    const states = getKeyStates(keys, clock(), overlapMs)
    return keys.map((key) => ({ ...key, state: states.get(key.id) ?? 'gone' }))
  }
  /** The key with this id, read again. */
  const readChangedKey = async (use: SigningKeyUse, changedId: string): Promise<PublishedKey> => {
    const key = addStates(await reload(use)).find(({ id }) => id === changedId)
    if (!key) throw new Error(`Cannot find the signing key "${changedId}" that was just changed`)
    return key
  }

  const findSigningKey = async (use: SigningKeyUse): Promise<LoadedKey> => {
    const keys = await readCached(use)
    const states = getKeyStates(keys, clock(), overlapMs)
    const key = keys.find(({ id }) => states.get(id) === 'signing')
    if (!key) throw new Error(`Cannot sign for "${use}": no key signs now`)
    return key
  }

  return {
    findSigningKey,
    async sign(use, typ, claims, { includeKey = false } = {}) {
      const { algorithm: alg, id: kid, jwk, privateKey } = await findSigningKey(use)
      return new SignJWT(claims)
        .setProtectedHeader({ alg, kid, typ, ...(includeKey && { jwk }) })
        .sign(privateKey)
    },
    async verify(use, token, expected) {
      const kid = readKeyId(token)
      const key = addStates(await readCached(use)).find(
        ({ id, state }) => id === kid && state !== 'gone',
      )
      if (!key) throw new errors.JWKSNoMatchingKey()
      return verifyWithKey(key, token, expected, new Date(clock()))
    },
    async list(use) {
      return addStates(await readCached(use)).filter(({ state }) => state !== 'gone')
    },
    async rotate(use, audit) {
      // Adds missing keys first: an announced key alone would sign at once.
      const keys = addStates(await reload(use))
      const standby = keys.find(({ state }) => state === 'standby')
      const announce = async () => {
        if (standby === undefined) return store.announce(use, audit)
        await store.activate(standby.id, audit)
        return standby.id
      }
      const id = await explainCondition(announce(), async () => {
        const now = clock()
        return createAnnouncedProblem(use, addStates(await reload(use)), now)
      })
      return readChangedKey(use, id)
    },
    async retire(id, audit) {
      const [row] = await db.select().from(signingKeys).where(eq(signingKeys.id, id))
      if (!row) return false
      await store.retire(row, audit)
      await reload(row.use)
      return true
    },
  }
}

function createAnnouncedProblem(use: SigningKeyUse, keys: readonly PublishedKey[], now: number) {
  const announced = keys.filter(({ state }) => state === 'announced')
  const next = Math.min(...announced.map(({ signsFrom }) => signsFrom))
  const retryAfterS = Math.max(1, Math.ceil((next - now) / 1000))
  return new Problem(
    'too-many-requests',
    `Cannot announce another key for "${use}": ${maxAnnounced} wait until they sign, try again in ${retryAfterS} s`,
    { retryAfterS },
  )
}

/** The keys as they were read last, for a short time. */
function createKeyCache(store: KeyStore, clock: Clock) {
  // The keys, never the promise of them: on Workers a promise ends with the request that made it.
  const cache = new Map<
    SigningKeyUse,
    { readonly readAt: number; readonly turn: number; readonly keys: readonly LoadedKey[] }
  >()
  /** Counts the readings: one that began earlier, and ends later, may have a key that was revoked in between. */
  let newest = 0

  const reload = async (use: SigningKeyUse): Promise<readonly LoadedKey[]> => {
    const readAt = clock()
    newest += 1
    const turn = newest
    const keys = await store.load(use)
    if ((cache.get(use)?.turn ?? 0) < turn) cache.set(use, { readAt, turn, keys })
    return keys
  }
  const readCached = async (use: SigningKeyUse) => {
    const cached = cache.get(use)
    return cached && Math.abs(clock() - cached.readAt) < maxAgeMs ? cached.keys : reload(use)
  }
  return { reload, readCached }
}

/** The claims of a token that this key signed. */
async function verifyWithKey(
  { publicKey, algorithm }: LoadedKey,
  token: string,
  { typ, issuer, audience }: ExpectedClaims,
  currentDate: Date,
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, publicKey, {
    algorithms: [algorithm],
    typ,
    issuer,
    audience,
    currentDate,
    clockTolerance: nodeClockSkewS,
    requiredClaims: ['sub', 'iat', 'exp'],
  })
  return payload
}

/** The `kid` of a token. */
function readKeyId(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    throw new errors.JWTInvalid('not a JWT')
  }
}
