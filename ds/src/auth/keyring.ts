/** The signing keys: made once, kept wrapped, rotated with overlap. */
import { Problem, type SigningKeyUse } from '@cardwire/client/protocol'
import { and, eq, sql } from 'drizzle-orm'
import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import { type Audit, there } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { signingKeys } from '../db/schema.ts'
import { refusing } from '../db/violation.ts'
import { type KeyState, keyStates, standsBy } from '../rules/key-life.ts'
import type { Clock, Services } from '../services.ts'
import { keepWord, vouch } from './succession.ts'
import type { Vault } from './vault.ts'

type Algorithm = 'ES256' | 'RS256'
type KeyRow = typeof signingKeys.$inferSelect

export interface PublishedKey {
  readonly id: string
  readonly use: SigningKeyUse
  readonly algorithm: Algorithm
  readonly state: KeyState
  readonly signsFrom: number
  readonly createdAt: number
  readonly jwk: Record<string, unknown> & { kty: string; kid: string; alg: Algorithm; use: 'sig' }
}

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

interface LoadedKey extends PublishedKey {
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
}

/** Whether a key stands by: devices know two keys of replies, so that the loss of one locks nobody out. */
const keepsReserve: Record<SigningKeyUse, boolean> = {
  application: false,
  administrator: false,
  reply: true,
}

/** What a signing key is made of, as the audit names it. */
const ownFields = ['use', 'algorithm', 'signsFrom']

/** How long the keys are kept in memory before they are read again, in milliseconds. */
const cacheMs = 30_000

/** A key nobody knows makes them be read again, but a crowd of such tokens not more often than this. */
const unknownKeyMs = 2_000

/** Clocks differ; jose counts in seconds. */
const clockToleranceS = 30

export function createKeyring(
  parts: Pick<Services, 'db' | 'clock' | 'vault' | 'settings'>,
): Keyring {
  const { db, clock, vault } = parts
  const overlapMs = parts.settings.keyOverlapS * 1000
  const algorithms: Record<SigningKeyUse, Algorithm> = {
    application: parts.settings.tokenAlgorithm,
    administrator: 'ES256',
    reply: 'ES256',
  }
  // What was read, never the reading: on Workers a promise dies with the request that made it, for everybody.
  const cache = new Map<
    SigningKeyUse,
    { readonly readAt: number; readonly keys: readonly LoadedKey[] }
  >()

  const fresh = async (use: SigningKeyUse): Promise<readonly LoadedKey[]> => {
    const keys = await load(db, vault, clock, overlapMs, use, algorithms[use])
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

  /** The key that stands by is known to everybody for long: it is announced, and another stands by in its place. */
  const callUp = async (id: string, audit: Audit): Promise<PublishedKey> => {
    const standing = and(eq(signingKeys.id, id), eq(signingKeys.signsFrom, standsBy))
    const [, [called]] = await db.batch([
      audit.entry('signing-key', id, ['signsFrom']).statement(there(signingKeys, standing)),
      db
        .update(signingKeys)
        .set({ signsFrom: clock() + overlapMs })
        .where(standing)
        .returning(),
    ])
    if (!called) throw changedMeanwhile('reply')
    return made(await fresh(called.use), id)
  }
  const made = (keys: readonly LoadedKey[], made: string): PublishedKey => {
    const key = withState(keys).find(({ id }) => id === made)
    if (!key) throw new Error(`Cannot find the signing key "${made}" that was just made`)
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
      const before = withState(await fresh(use))
      const reserve = before.find(({ state }) => state === 'standby')
      if (reserve) return callUp(reserve.id, audit)
      const rows = await rowsOf(db, use)
      const signsFrom = clock() + overlapMs
      const row = await makeKey(vault, clock, use, algorithms[use], nextSequence(rows), signsFrom)
      await refusing(
        db.batch([
          audit.entry('signing-key', row.id, ownFields).statement(),
          db.insert(signingKeys).values(row),
          ...(await vouching(db, vault, clock, overlapMs, rows, row)),
        ]),
        () => changedMeanwhile(use),
      )
      return made(await fresh(use), row.id)
    },
    async retire(id, audit) {
      const [row] = await db.select().from(signingKeys).where(eq(signingKeys.id, id))
      if (!row) return false
      await withdraw(db, vault, clock, overlapMs, row, algorithms[row.use], audit)
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

const rowsOf = (db: Database, use: SigningKeyUse) =>
  db.select().from(signingKeys).where(eq(signingKeys.use, use)).orderBy(signingKeys.sequence)

const nextSequence = (rows: readonly KeyRow[]) => (rows.at(-1)?.sequence ?? 0) + 1

const changedMeanwhile = (use: SigningKeyUse) =>
  new Problem(
    'changed-meanwhile',
    `Cannot change the keys for "${use}": somebody else just did, read them again`,
  )

/** Deletes a key. When it is the one in force, the key announced first, or that stands by, or else a new one, signs now. */
async function withdraw(
  db: Database,
  vault: Vault,
  clock: Clock,
  overlapMs: number,
  { id, use }: KeyRow,
  algorithm: Algorithm,
  audit: Audit,
): Promise<void> {
  const rows = await rowsOf(db, use)
  const states = keyStates(rows, clock(), overlapMs)
  // Keys that are gone leave too: without the one that followed them they would seem in use again.
  const leaving = [id, ...rows.map((row) => row.id).filter((row) => states.get(row) === 'gone')]
  const remove = db
    .delete(signingKeys)
    .where(sql`${signingKeys.id} in (select value from json_each(${JSON.stringify(leaving)}))`)
  const entry = audit
    .entry('signing-key', id, ownFields)
    .statement(there(signingKeys, eq(signingKeys.id, id)))
  if (states.get(id) !== 'signing') {
    await db.batch([entry, remove])
    return
  }
  const first = (wanted: KeyState) => [...states].find(([, state]) => state === wanted)?.[0]
  const successor = first('announced') ?? first('standby')
  const signsFrom = clock()
  if (successor !== undefined) {
    const succeeding = eq(signingKeys.id, successor)
    await db.batch([
      entry,
      remove,
      audit
        .entry('signing-key', successor, ['signsFrom'])
        .statement(there(signingKeys, succeeding)),
      db.update(signingKeys).set({ signsFrom }).where(succeeding),
    ])
    return
  }
  const made = await makeKey(vault, clock, use, algorithm, nextSequence(rows), signsFrom)
  await refusing(
    db.batch([
      entry,
      remove,
      audit.entry('signing-key', made.id, ownFields).statement(),
      db.insert(signingKeys).values(made),
      ...(await vouching(db, vault, clock, overlapMs, rows, made)),
    ]),
    () => changedMeanwhile(use),
  )
}

async function load(
  db: Database,
  vault: Vault,
  clock: Clock,
  overlapMs: number,
  use: SigningKeyUse,
  algorithm: Algorithm,
): Promise<readonly LoadedKey[]> {
  /** Of two who make one at once the first wins, and both read it. */
  const add = async (before: readonly KeyRow[], row: KeyRow) => {
    await db.batch([
      db.insert(signingKeys).values(row).onConflictDoNothing(),
      ...(await vouching(db, vault, clock, overlapMs, before, row)),
    ])
    return rowsOf(db, use)
  }
  let rows = await rowsOf(db, use)
  const newest = rows.at(-1)
  // When the setting changed, the key of the new kind is announced like any other.
  const current = keyStates(rows, clock(), overlapMs)
  const inForce = rows.filter(({ id }) => /^(announced|signing)$/.test(current.get(id) ?? ''))
  if (!inForce.some((row) => row.algorithm === algorithm)) {
    const signsFrom = newest ? clock() + overlapMs : clock()
    const row = await makeKey(vault, clock, use, algorithm, nextSequence(rows), signsFrom)
    rows = await add(rows, row)
  }
  if (keepsReserve[use] && !rows.some(({ signsFrom }) => signsFrom === standsBy)) {
    const row = await makeKey(vault, clock, use, algorithm, nextSequence(rows), standsBy)
    rows = await add(rows, row)
  }
  const states = keyStates(rows, clock(), overlapMs)
  const live = rows.filter(({ id }) => states.get(id) !== 'gone')
  return Promise.all(
    live.map(async (row) => ({
      id: row.id,
      use: row.use,
      algorithm: row.algorithm,
      state: states.get(row.id) ?? 'gone',
      signsFrom: row.signsFrom,
      createdAt: row.createdAt,
      jwk: jwkOf(row),
      publicKey: await importKey(row.publicKey, row.algorithm),
      privateKey: await privateKeyOf(vault, row),
    })),
  )
}

const jwkOf = ({ id, publicKey, algorithm }: KeyRow): PublishedKey['jwk'] => ({
  ...publicKey,
  ...{ kty: publicKey.kty ?? '', kid: id, alg: algorithm, use: 'sig' },
})

const privateKeyOf = async (vault: Vault, { id, privateKey, algorithm }: KeyRow) =>
  importKey(JSON.parse(await vault.unwrap(privateKey, id)), algorithm)

/**
 * Devices know the keys of replies, and may be away when they change: the one that signs, or will, vouches for a new one.
 * So each leads to all that come after it.
 */
async function vouching(
  db: Database,
  vault: Vault,
  clock: Clock,
  overlapMs: number,
  before: readonly KeyRow[],
  made: KeyRow,
) {
  if (made.use !== 'reply') return []
  const states = keyStates(before, clock(), overlapMs)
  const voucher = before.findLast(({ id }) => /^(announced|signing)$/.test(states.get(id) ?? ''))
  if (!voucher) return []
  const by = { jwk: jwkOf(voucher), privateKey: await privateKeyOf(vault, voucher) }
  return [keepWord(db, await vouch(by, jwkOf(made)), made.id, made.createdAt)]
}

async function importKey(jwk: JsonWebKey, algorithm: Algorithm): Promise<CryptoKey> {
  const key = await importJWK(jwk as { kty: string }, algorithm)
  if (key instanceof Uint8Array) throw new Error('Cannot import the signing key: it is symmetric')
  return key
}

async function makeKey(
  vault: Vault,
  clock: Clock,
  use: SigningKeyUse,
  algorithm: Algorithm,
  sequence: number,
  signsFrom: number,
): Promise<KeyRow> {
  const pair = await generateKeyPair(algorithm, { extractable: true })
  const publicKey = await exportJWK(pair.publicKey)
  const id = await calculateJwkThumbprint(publicKey)
  const privateKey = await vault.wrap(JSON.stringify(await exportJWK(pair.privateKey)), id)
  return { id, use, sequence, algorithm, publicKey, privateKey, signsFrom, createdAt: clock() }
}
