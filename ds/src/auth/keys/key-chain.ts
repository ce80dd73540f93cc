/** How keys of replies follow each other: the newest that signs, or will sign, endorses each new one. */
import { maxSuccessions, type Succession, successionKind } from '@cardwire/protocol'
import { desc, sql } from 'drizzle-orm'
import { CompactSign, type CryptoKey } from 'jose'
import type { Database } from '../../db/database.ts'
import { deleteBeyond } from '../../db/delete-beyond.ts'
import { signingKeys, successions } from '../../db/schema.ts'

interface RotationSigner {
  readonly jwk: Succession['key']
  readonly privateKey: CryptoKey
}

/** Signs the public half of another key: a compact JWS. */
export function signRotationStatement(
  { jwk, privateKey }: RotationSigner,
  key: Succession['key'],
): Promise<string> {
  const claims: Succession = { key }
  const { typ, algorithm } = successionKind
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: algorithm, kid: jwk.kid, typ, jwk })
    .sign(privateKey)
}

/** Stores an endorsement, and keeps the newest. The statements stand after the one that stores the key, in the same batch. */
export const insertRotationStatement = (
  db: Database,
  endorsement: string,
  keyId: string,
  createdAt: number,
) =>
  [
    db.insert(successions).select(
      // When two requests add a key at once, one of the keys is not stored: it has no endorsement either.
      sql`select ${keyId}, ${endorsement}, ${createdAt}
        where exists (select 1 from ${signingKeys} where ${signingKeys.id} = ${keyId})`,
    ),
    deleteBeyond(db, successions, successions.createdAt, { keep: maxSuccessions }),
  ] as const

/** The endorsements that devices read, oldest first. */
export async function listRotationStatements(db: Database): Promise<string[]> {
  const newest = await db
    .select({ statement: successions.statement })
    .from(successions)
    .orderBy(desc(successions.createdAt), desc(sql`rowid`))
    .limit(maxSuccessions)
  return newest.map(({ statement }) => statement).reverse()
}
