/** Loads the signing keys of a use, adds those that are missing, and deletes those that are gone. */
import type { SigningKeyUse } from '@cardwire/protocol'
import { inArray } from 'drizzle-orm'
import { signingKeys } from '../../db/schema.ts'
import { type KeyState, standbySignsFrom } from '../../rules/key-states.ts'
import { isInForce, type KeyRows, type KeyStoreParts } from './key-rows.ts'
import { importKeyPair, type KeyRow, type LoadedKey, toLoadedKey } from './signing-key.ts'

/** Whether a use has a standby key: devices know two keys of replies, so that they survive the loss of one. */
const hasStandbyKey: Record<SigningKeyUse, boolean> = {
  application: false,
  administrator: false,
  reply: true,
}

export function createKeyLoader({ db, clock, vault, settings }: KeyStoreParts, rows: KeyRows) {
  const overlapMs = settings.keyOverlapS * 1000
  /** The keys of each use as they were loaded last. */
  const loaded = new Map<SigningKeyUse, readonly LoadedKey[]>()

  return async (use: SigningKeyUse): Promise<readonly LoadedKey[]> => {
    let stored: readonly KeyRow[] = await rows.select(use)
    const current = rows.getStates(stored)
    const inForce = stored.filter(({ id }) => isInForce(current.get(id)))
    if (!inForce.some(({ algorithm }) => algorithm === rows.algorithms[use])) {
      // The first key of a use signs at once. One of a newly set algorithm is announced like any other.
      const signsFrom = stored.length > 0 ? clock() + overlapMs : clock()
      stored = await add(stored, await rows.generate(stored, { use, signsFrom }))
    }
    const isStandby = ({ signsFrom }: KeyRow) => signsFrom === standbySignsFrom
    if (hasStandbyKey[use] && !stored.some(isStandby)) {
      const standby = await rows.generate(stored, { use, signsFrom: standbySignsFrom })
      stored = await add(stored, standby)
    }
    const states = rows.getStates(stored)
    await deleteGone(stored.filter(({ id }) => states.get(id) === 'gone'))
    const keys = await Promise.all(
      stored.flatMap((row) => {
        const state = states.get(row.id) ?? 'gone'
        return state === 'gone' ? [] : [loadKey(row, state)]
      }),
    )
    loaded.set(use, keys)
    return keys
  }

  /** A row never gets another key: what was imported before is not imported again. */
  async function loadKey(row: KeyRow, state: KeyState): Promise<LoadedKey> {
    const known = loaded.get(row.use)?.find(({ id }) => id === row.id)
    return toLoadedKey(row, state, known ?? (await importKeyPair(vault, row)))
  }

  /** Verifiers have forgotten these keys: none may sign again when a clock that was ahead is set back. */
  async function deleteGone(gone: readonly KeyRow[]): Promise<void> {
    if (gone.length === 0) return
    const ids = gone.map(({ id }) => id)
    // A disk that takes no write keeps no key from signing; the next load tries again.
    await Promise.allSettled([db.delete(signingKeys).where(inArray(signingKeys.id, ids))])
  }

  /** When two requests add a key at once, the first one is stored, and both read it. */
  async function add(before: readonly KeyRow[], row: KeyRow): Promise<readonly KeyRow[]> {
    await db.batch([
      db.insert(signingKeys).values(row).onConflictDoNothing(),
      ...(await rows.prepareRotationStatement(before, row)),
    ])
    return rows.select(row.use)
  }
}
