/** The consents that a user has granted, in the state database. */
import type { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { changeForGood } from '../../system/state/revision.ts'

/** Times in milliseconds since 1970, UTC. */
export interface StoredConsent {
  readonly id: string
  readonly origin: string
  readonly issuedAt: number
  readonly expiresAt: number
  /** When a page last used it. */
  readonly usedAt: number
}

export interface CodeWordUse {
  readonly consentId: string
  readonly usedAt: number
}

export interface ConsentStore {
  /** The id of this connector, created with the database. */
  readonly agentId: string
  /** HMAC secret, 32 bytes. */
  readonly key: Uint8Array
  /** Both are on disk when this returns. `codeWordHash`: a keyed hash of the code word that the consent was granted for. */
  add(consent: StoredConsent, codeWordHash: Uint8Array): void
  /** A consent that has not ended; the caller checks whether it has expired. */
  find(id: string): StoredConsent | undefined
  /** The consent of this origin that expires last. */
  findLatest(origin: string): StoredConsent | undefined
  /** All that have not ended, in the order of origins. */
  list(): readonly StoredConsent[]
  findCodeWordUse(codeWordHash: Uint8Array): CodeWordUse | undefined
  recordUse(id: string, at: number): void
  /** Ends for good what has expired by then: setting the clock back revives nothing. */
  endExpired(now: number): void
  /** Ends the consents of an origin, without one all; returns how many. */
  revoke(now: number, origin?: string): number
  /** The earliest expiry. */
  nextExpiry(): number | undefined
  /** Changes when another process has written. */
  readDataVersion(): number
}

/** How long used code words and ended consents are kept, in milliseconds. */
const retentionMs = 30 * 86_400_000

const columns =
  'id, origin, issued_at AS issuedAt, expires_at AS expiresAt, used_at AS usedAt FROM consents WHERE ended_at IS NULL'

export function createConsentStore(database: Database): ConsentStore {
  const { agentId, key } = readConnector(database)
  const insert = database.query(
    'INSERT INTO consents (id, origin, issued_at, expires_at, used_at) VALUES ($id, $origin, $issuedAt, $expiresAt, $usedAt)',
  )
  const insertCodeWord = database.query(
    'INSERT INTO code_words (digest, consent_id, used_at) VALUES ($codeWordHash, $id, $usedAt)',
  )
  const deleteCodeWords = database.query('DELETE FROM code_words WHERE used_at < $before')
  const deleteEnded = database.query('DELETE FROM consents WHERE ended_at < $before')
  const deletePermissions = ['identity_permissions', 'file_types'].map((table) =>
    database.query(`DELETE FROM ${table} WHERE consent_id NOT IN (SELECT id FROM consents)`),
  )
  const find = database.query<StoredConsent, [string]>(`SELECT ${columns} AND id = ?`)
  const findLatest = database.query<StoredConsent, [string]>(
    `SELECT ${columns} AND origin = ? ORDER BY expires_at DESC LIMIT 1`,
  )
  const list = database.query<StoredConsent, []>(`SELECT ${columns} ORDER BY origin, issued_at`)
  const findCodeWordUse = database.query<CodeWordUse, [Uint8Array]>(
    'SELECT consent_id AS consentId, used_at AS usedAt FROM code_words WHERE digest = ?',
  )
  const recordUse = database.query('UPDATE consents SET used_at = $at WHERE id = $id')
  const endExpired = database.query(
    'UPDATE consents SET ended_at = $now WHERE ended_at IS NULL AND expires_at <= $now',
  )
  const revoke = database.query(
    'UPDATE consents SET ended_at = $now WHERE ended_at IS NULL AND ($origin IS NULL OR origin = $origin)',
  )
  const nextExpiry = database.query<{ at: number | null }, []>(
    'SELECT min(expires_at) AS at FROM consents WHERE ended_at IS NULL',
  )
  const readDataVersion = database.query<{ data_version: number }, []>('PRAGMA data_version')

  return {
    agentId,
    key,
    add: (consent: StoredConsent, codeWordHash: Uint8Array) =>
      void changeForGood(database, () => {
        const before = consent.issuedAt - retentionMs
        deleteCodeWords.run({ before })
        deleteEnded.run({ before })
        for (const query of deletePermissions) query.run()
        insert.run({ ...consent })
        insertCodeWord.run({ codeWordHash, id: consent.id, usedAt: consent.issuedAt })
        return 1
      }),
    find: (id) => find.get(id) ?? undefined,
    findLatest: (origin) => findLatest.get(origin) ?? undefined,
    list: () => list.all(),
    findCodeWordUse: (codeWordHash) => findCodeWordUse.get(codeWordHash) ?? undefined,
    recordUse: (id, at) => void recordUse.run({ id, at }),
    endExpired: (now) => void changeForGood(database, () => endExpired.run({ now }).changes),
    revoke: (now, origin) =>
      changeForGood(database, () => revoke.run({ now, origin: origin ?? null }).changes),
    nextExpiry: () => nextExpiry.get()?.at ?? undefined,
    readDataVersion: () => readDataVersion.get()?.data_version ?? 0,
  }
}

/** The identity of this connector, created once for each database. */
function readConnector(database: Database): { readonly agentId: string; readonly key: Uint8Array } {
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
