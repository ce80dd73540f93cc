/** How keys of replies follow each other: the newest that signs, or will, vouches for the next one made. */
import { type Succession, successionKind } from '@cardwire/client/protocol'
import { asc, sql } from 'drizzle-orm'
import { CompactSign, type CryptoKey } from 'jose'
import type { Database } from '../db/database.ts'
import { signingKeys, successions } from '../db/schema.ts'

interface Voucher {
  readonly jwk: Succession['key']
  readonly privateKey: CryptoKey
}

/** The word of a key for another one: a compact JWS. */
export function vouch({ jwk, privateKey }: Voucher, key: Succession['key']): Promise<string> {
  const said: Succession = { key }
  const { typ, algorithm } = successionKind
  return new CompactSign(new TextEncoder().encode(JSON.stringify(said)))
    .setProtectedHeader({ alg: algorithm, kid: jwk.kid, typ, jwk })
    .sign(privateKey)
}

/** Stores such a word; stands behind the statement that stores the key, in one batch. */
export const keepWord = (db: Database, statement: string, keyId: string, createdAt: number) =>
  db.insert(successions).select(
    // Of two who make a key at once one makes none, and vouches for none.
    sql`select ${keyId}, ${statement}, ${createdAt}
      where exists (select 1 from ${signingKeys} where ${signingKeys.id} = ${keyId})`,
  )

/** All of them, oldest first. */
export async function allSuccessions(db: Database): Promise<string[]> {
  const rows = await db
    .select({ statement: successions.statement })
    .from(successions)
    .orderBy(asc(successions.createdAt), asc(sql`rowid`))
  return rows.map(({ statement }) => statement)
}
