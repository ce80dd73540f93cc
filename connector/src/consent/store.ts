/** The consents that a person has given, in the state database. */
import type { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'

/** Times in milliseconds since 1970, UTC. */
export interface GivenConsent {
  readonly id: string
  readonly origin: string
  readonly issuedAt: number
  readonly expiresAt: number
  /** When a page last came back with it. */
  readonly usedAt: number
}

export interface WordUse {
  readonly consentId: string
  readonly usedAt: number
}

export interface ConsentStore {
  /** Which connector this is; as old as the database. */
  readonly agentId: string
  /** HMAC secret, 32 bytes. */
  readonly key: Uint8Array
  /** Both are on disk when this returns. `word` is a keyed hash of the code word that it was given for. */
  add(given: GivenConsent, word: Uint8Array): void
  /** What has not ended; whether its time is over is for the caller to say. */
  find(id: string): GivenConsent | undefined
  /** The one of this origin that ends last. */
  lastOf(origin: string): GivenConsent | undefined
  /** All that have not ended, by origin. */
  all(): readonly GivenConsent[]
  wordUse(word: Uint8Array): WordUse | undefined
  used(id: string, at: number): void
  /** Ends what has expired by then, for good: a clock that is set back brings nothing to life. */
  endExpired(now: number): void
  /** How many ended; without an origin all. */
  revoke(now: number, origin?: string): number
  /** When the first one ends. */
  nextEnd(): number | undefined
  /** Differs from the last answer when another process has written. */
  writtenElsewhere(): number
}

/** How long a code word stays used, and an ended consent stays at all, in milliseconds. */
const keptMs = 30 * 86_400_000

const columns =
  'id, origin, issued_at AS issuedAt, expires_at AS expiresAt, used_at AS usedAt FROM consents WHERE ended_at IS NULL'

export function consentStore(database: Database): ConsentStore {
  const { agentId, key } = connectorOf(database)
  const insert = database.query(
    'INSERT INTO consents (id, origin, issued_at, expires_at, used_at) VALUES ($id, $origin, $issuedAt, $expiresAt, $usedAt)',
  )
  const insertWord = database.query(
    'INSERT INTO code_words (digest, consent_id, used_at) VALUES ($word, $id, $usedAt)',
  )
  const dropWords = database.query('DELETE FROM code_words WHERE used_at < $before')
  const dropEnded = database.query('DELETE FROM consents WHERE ended_at < $before')
  const find = database.query<GivenConsent, [string]>(`SELECT ${columns} AND id = ?`)
  const lastOf = database.query<GivenConsent, [string]>(
    `SELECT ${columns} AND origin = ? ORDER BY expires_at DESC LIMIT 1`,
  )
  const all = database.query<GivenConsent, []>(`SELECT ${columns} ORDER BY origin, issued_at`)
  const wordUse = database.query<WordUse, [Uint8Array]>(
    'SELECT consent_id AS consentId, used_at AS usedAt FROM code_words WHERE digest = ?',
  )
  const used = database.query('UPDATE consents SET used_at = $at WHERE id = $id')
  const endExpired = database.query(
    'UPDATE consents SET ended_at = $now WHERE ended_at IS NULL AND expires_at <= $now',
  )
  const revoke = database.query(
    'UPDATE consents SET ended_at = $now WHERE ended_at IS NULL AND ($origin IS NULL OR origin = $origin)',
  )
  const nextEnd = database.query<{ at: number | null }, []>(
    'SELECT min(expires_at) AS at FROM consents WHERE ended_at IS NULL',
  )
  const dataVersion = database.query<{ data_version: number }, []>('PRAGMA data_version')

  return {
    agentId,
    key,
    add: database.transaction((given: GivenConsent, word: Uint8Array) => {
      const before = given.issuedAt - keptMs
      dropWords.run({ before })
      dropEnded.run({ before })
      insert.run({ ...given })
      insertWord.run({ word, id: given.id, usedAt: given.issuedAt })
    }).immediate,
    find: (id) => find.get(id) ?? undefined,
    lastOf: (origin) => lastOf.get(origin) ?? undefined,
    all: () => all.all(),
    wordUse: (word) => wordUse.get(word) ?? undefined,
    used: (id, at) => void used.run({ id, at }),
    endExpired: (now) => void endExpired.run({ now }),
    revoke: (now, origin) => revoke.run({ now, origin: origin ?? null }).changes,
    nextEnd: () => nextEnd.get()?.at ?? undefined,
    writtenElsewhere: () => dataVersion.get()?.data_version ?? 0,
  }
}

/** Who this is, drawn when the database was made. */
function connectorOf(database: Database): { readonly agentId: string; readonly key: Uint8Array } {
  database
    .query(
      'INSERT INTO connector (only_row, agent_id, consent_key) VALUES (1, $agentId, $key) ON CONFLICT DO NOTHING',
    )
    .run({ agentId: crypto.randomUUID(), key: randomBytes(32) })
  const found = database
    .query<{ agentId: string; key: Uint8Array }, []>(
      'SELECT agent_id AS agentId, consent_key AS key FROM connector',
    )
    .get()
  if (!found) throw new Error('Cannot read the state database: it has no connector')
  return found
}
