/** The rows of signing keys, and the statements that add one. */
import { Problem, type SigningKeyUse } from '@cardwire/protocol'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { signingKeys } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import { getKeyStates, type KeyState } from '../../rules/key-states.ts'
import type { Settings } from '../../settings.ts'
import { insertRotationStatement, signRotationStatement } from './key-chain.ts'
import {
  type Algorithm,
  generateKey,
  type KeyRow,
  toPublicJwk,
  unwrapPrivateKey,
} from './signing-key.ts'
import type { Vault } from './vault.ts'

export interface KeyStoreParts {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly settings: Settings
}

/** The fields of a signing key that the audit names. */
export const auditedFields = ['use', 'algorithm', 'signsFrom']

export type KeyRows = ReturnType<typeof createKeyRows>

export function createKeyRows({ db, clock, vault, settings }: KeyStoreParts) {
  const algorithms: Record<SigningKeyUse, Algorithm> = {
    application: settings.tokenAlgorithm,
    administrator: 'ES256',
    reply: 'ES256',
  }
  const getStates = (rows: readonly KeyRow[]): ReadonlyMap<string, KeyState> =>
    getKeyStates(rows, clock(), settings.keyOverlapS * 1000)
  const selectOfUse = db
    .select()
    .from(signingKeys)
    .where(eq(signingKeys.use, sql.placeholder('use')))
    .orderBy(signingKeys.sequence)
    .prepare()

  return {
    algorithms,
    getStates,

    /** The keys of a use, oldest first. */
    select: (use: SigningKeyUse): Promise<KeyRow[]> => selectOfUse.all({ use }),

    /** Whether a use has these keys still, with these times: what was decided by them may be done. */
    areUnchanged(use: SigningKeyUse, rows: readonly KeyRow[]): SQL {
      const read = rows.map(({ id, signsFrom }) => `${id} ${signsFrom}`).join(', ')
      const { id, signsFrom, sequence } = signingKeys
      return sql`${read} = (select coalesce(string_agg(${id} || ' ' || ${signsFrom}, ', ' order by ${sequence}), '')
        from ${signingKeys} where ${eq(signingKeys.use, use)})`
    },

    /** Generates the key that comes after `rows`; nothing is stored yet. */
    generate: (rows: readonly KeyRow[], key: Pick<KeyRow, 'use' | 'signsFrom'>): Promise<KeyRow> =>
      generateKey(vault, clock, {
        ...key,
        algorithm: algorithms[key.use],
        sequence: (rows.at(-1)?.sequence ?? 0) + 1,
      }),

    /**
     * The statements that store the endorsement of a new key of replies by the key that signs, or will sign. A device
     * that was away while keys changed finds its way from the key it knows to the newest.
     */
    async prepareRotationStatement(before: readonly KeyRow[], added: KeyRow) {
      if (added.use !== 'reply') return []
      const states = getStates(before)
      const endorser = before.findLast(({ id }) => isInForce(states.get(id)))
      if (!endorser) return []
      const signer = {
        jwk: toPublicJwk(endorser),
        privateKey: await unwrapPrivateKey(vault, endorser),
      }
      const endorsement = await signRotationStatement(signer, toPublicJwk(added))
      return insertRotationStatement(db, endorsement, added.id, added.createdAt)
    },
  }
}

/** Whether a key signs, or will as soon as its time comes. */
export const isInForce = (state: KeyState | undefined): boolean =>
  state === 'announced' || state === 'signing'

export const createChangedProblem = (use: SigningKeyUse) =>
  new Problem(
    'changed-meanwhile',
    `Cannot change the keys for "${use}": another administrator just changed them, read them again`,
  )
