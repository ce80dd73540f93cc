/** The signing keys as the service uses them: signs, verifies, publishes, rotates with overlap. */
import type { SigningKeyUse } from '@cardwire/client/protocol'
import { eq } from 'drizzle-orm'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Audit } from '../db/audit.ts'
import { signingKeys } from '../db/schema.ts'
import { keyStates } from '../rules/key-life.ts'
import type { Services } from '../services.ts'
import { keyRows } from './key-rows.ts'
import type { LoadedKey, PublishedKey } from './signing-key.ts'

export interface Keyring {
  /** Signs claims with the key in force; `iat` and the like are the caller's. */
  sign(use: SigningKeyUse, typ: string, claims: JWTPayload): Promise<string>
  /** The claims of a token that one of our keys signed; throws when anything about it is wrong. */
  verify(use: SigningKeyUse, token: string, demands: Demands): Promise<JWTPayload>
  /** Every key that has a use still, oldest first. */
  list(use: SigningKeyUse): Promise<readonly PublishedKey[]>
  /** Announces a new key. */
  rotate(use: SigningKeyUse, audit: Audit): Promise<PublishedKey>
  /** Takes a key out of use at once; false when there is none with this id. */
  retire(id: string, audit: Audit): Promise<boolean>
}

interface Demands {
  readonly typ: string
  readonly issuer: string
  readonly audience: string
}

/** How long the keys are kept in memory before they are read again, in milliseconds. */
const cacheMs = 30_000

/** A key nobody knows makes them be read again, but a crowd of such tokens not more often than this. */
const unknownKeyMs = 2_000

/** Clocks differ; jose counts in seconds. */
const clockToleranceS = 30

export function createKeyring(
  parts: Pick<Services, 'db' | 'clock' | 'vault' | 'settings'>,
): Keyring {
  const { db, clock } = parts
  const rows = keyRows(parts)
  const overlapMs = parts.settings.keyOverlapS * 1000
  // What was read, never the reading: on Workers a promise dies with the request that made it, for everybody.
  const cache = new Map<
    SigningKeyUse,
    { readonly readAt: number; readonly keys: readonly LoadedKey[] }
  >()

  const fresh = async (use: SigningKeyUse): Promise<readonly LoadedKey[]> => {
    const keys = await rows.load(use)
    cache.set(use, { readAt: clock(), keys })
    return keys
  }
  /** The keys as they were read at most this long ago. */
  const recent = async (use: SigningKeyUse, ageMs: number) => {
    const cached = cache.get(use)
    return cached && clock() - cached.readAt < ageMs ? cached.keys : fresh(use)
  }
  const withState = (keys: readonly LoadedKey[]) => {
    const states = keyStates(keys, clock(), overlapMs)
    return keys.map((key) => ({ ...key, state: states.get(key.id) ?? 'gone' }))
  }
  /** The key with this id, as it stands now. */
  const changed = async (use: SigningKeyUse, changedId: string): Promise<PublishedKey> => {
    const key = withState(await fresh(use)).find(({ id }) => id === changedId)
    if (!key) throw new Error(`Cannot find the signing key "${changedId}" that was just made`)
    return key
  }

  return {
    async sign(use, typ, claims) {
      const keys = await recent(use, cacheMs)
      const states = keyStates(keys, clock(), overlapMs)
      const key = keys.find(({ id }) => states.get(id) === 'signing')
      if (!key) throw new Error(`Cannot sign for "${use}": no key is in force`)
      return new SignJWT(claims)
        .setProtectedHeader({ alg: key.algorithm, kid: key.id, typ })
        .sign(key.privateKey)
    },
    async verify(use, token, { typ, issuer, audience }) {
      const kid = keyIdOf(token)
      const known = (keys: readonly LoadedKey[]) =>
        withState(keys).find(({ id, state }) => id === kid && state !== 'gone')
      const key = known(await recent(use, cacheMs)) ?? known(await recent(use, unknownKeyMs))
      if (!key) throw new errors.JWKSNoMatchingKey()
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: [key.algorithm],
        typ,
        issuer,
        audience,
        currentDate: new Date(clock()),
        clockTolerance: clockToleranceS,
        requiredClaims: ['sub', 'iat', 'exp'],
      })
      return payload
    },
    async list(use) {
      return withState(await recent(use, unknownKeyMs)).filter(({ state }) => state !== 'gone')
    },
    async rotate(use, audit) {
      // Without a key in force the announced one would be the only one.
      const keys = withState(await fresh(use))
      const reserve = keys.find(({ state }) => state === 'standby')
      if (reserve === undefined) return changed(use, await rows.announce(use, audit))
      await rows.callUp(reserve.id, audit)
      return changed(use, reserve.id)
    },
    async retire(id, audit) {
      const [row] = await db.select().from(signingKeys).where(eq(signingKeys.id, id))
      if (!row) return false
      await rows.withdraw(row, audit)
      await fresh(row.use)
      return true
    },
  }
}

/** The `kid` of a token; what is no JWT has none to look for. */
function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    throw new errors.JWTInvalid('not a JWT')
  }
}
