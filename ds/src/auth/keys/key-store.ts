/** Stores signing keys: adds those that are missing, announces, activates and retires one. */
import { Problem, type SigningKeyUse } from '@cardwire/client/protocol'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { exists, type OperationAudit } from '../../db/audit.ts'
import { mapConstraintError } from '../../db/constraint-error.ts'
import { signingKeys } from '../../db/schema.ts'
import { type KeyState, standbySignsFrom } from '../../rules/key-states.ts'
import { createKeyRows, isInForce, type KeyStoreParts } from './key-rows.ts'
import { importKeyPair, type KeyRow, type LoadedKey, toLoadedKey } from './signing-key.ts'

export interface KeyStore {
  /** Every key that is still in use, oldest first; adds the keys that are missing, so that there is one that signs. */
  load(use: SigningKeyUse): Promise<readonly LoadedKey[]>
  /** Adds a key that signs after the overlap, when all verifiers know it; returns its id. Throws `changed-meanwhile`. */
  announce(use: SigningKeyUse, audit: OperationAudit): Promise<string>
  /** Announces the standby key, which verifiers have known for long. Throws `changed-meanwhile`. */
  activate(id: string, audit: OperationAudit): Promise<void>
  /** Deletes a key. When it was the one that signs, its successor signs at once. Throws `changed-meanwhile`. */
  retire(key: Pick<KeyRow, 'id' | 'use'>, audit: OperationAudit): Promise<void>
}

/** Whether a use has a standby key: devices know two keys of replies, so that they survive the loss of one. */
const hasStandbyKey: Record<SigningKeyUse, boolean> = {
  application: false,
  administrator: false,
  reply: true,
}

/** The fields of a signing key that the audit names. */
const auditedFields = ['use', 'algorithm', 'signsFrom']

export function createKeyStore(parts: KeyStoreParts): KeyStore {
  const { db, clock, vault, settings } = parts
  const rows = createKeyRows(parts)
  const overlapMs = settings.keyOverlapS * 1000
  /** The keys of each use as they were loaded last. */
  const loaded = new Map<SigningKeyUse, readonly LoadedKey[]>()

  return {
    async load(use) {
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
      const keys = await Promise.all(
        stored.flatMap((row) => {
          const state = states.get(row.id) ?? 'gone'
          return state === 'gone' ? [] : [loadKey(row, state)]
        }),
      )
      loaded.set(use, keys)
      return keys
    },

    async announce(use, audit) {
      const stored = await rows.select(use)
      const row = await rows.generate(stored, { use, signsFrom: clock() + overlapMs })
      await mapConstraintError(
        db.batch([
          audit.createEntry('signing-key', row.id, auditedFields).toStatement(),
          db.insert(signingKeys).values(row),
          ...(await rows.prepareRotationStatement(stored, row)),
        ]),
        () => createChangedProblem(use),
      )
      return row.id
    },

    async activate(id, audit) {
      const isStandby = and(eq(signingKeys.id, id), eq(signingKeys.signsFrom, standbySignsFrom))
      const [, activated] = await db.batch([
        audit
          .createEntry('signing-key', id, ['signsFrom'])
          .toStatement(exists(signingKeys, isStandby)),
        db
          .update(signingKeys)
          .set({ signsFrom: clock() + overlapMs })
          .where(isStandby)
          .returning(),
      ])
      if (activated.length === 0) throw createChangedProblem('reply')
    },

    async retire({ id, use }, audit) {
      const stored = await rows.select(use)
      const states = rows.getStates(stored)
      const removal = createRemoval(id, stored, states, audit)
      const areUnchanged = rows.areUnchanged(use, stored)
      if (states.get(id) !== 'signing') {
        const [, removed] = await db.batch([
          removal.entry(areUnchanged),
          removal.statement(areUnchanged),
        ])
        if (removed.length === 0) throw createChangedProblem(use)
        return
      }
      const findFirst = (wanted: KeyState) => [...states].find(([, state]) => state === wanted)?.[0]
      const successor = findFirst('announced') ?? findFirst('standby')
      const signsFrom = clock()
      if (successor !== undefined) {
        const isSuccessor = eq(signingKeys.id, successor)
        const signs = exists(signingKeys, and(isSuccessor, eq(signingKeys.signsFrom, signsFrom)))
        // The successor first: another administrator may have just retired it, and none would be left.
        const [, , succeeded] = await db.batch([
          removal.entry(areUnchanged),
          audit.createEntry('signing-key', successor, ['signsFrom']).toStatement(areUnchanged),
          db
            .update(signingKeys)
            .set({ signsFrom })
            .where(and(isSuccessor, areUnchanged))
            .returning(),
          removal.statement(signs),
        ])
        if (succeeded.length === 0) throw createChangedProblem(use)
        return
      }
      const added = await rows.generate(stored, { use, signsFrom })
      await mapConstraintError(
        db.batch([
          removal.entry(exists(signingKeys, eq(signingKeys.id, id))),
          removal.statement(),
          audit.createEntry('signing-key', added.id, auditedFields).toStatement(),
          db.insert(signingKeys).values(added),
          ...(await rows.prepareRotationStatement(stored, added)),
        ]),
        () => createChangedProblem(use),
      )
    },
  }

  /** A row never gets another key: what was imported before is not imported again. */
  async function loadKey(row: KeyRow, state: KeyState): Promise<LoadedKey> {
    const known = loaded.get(row.use)?.find(({ id }) => id === row.id)
    return toLoadedKey(row, state, known ?? (await importKeyPair(vault, row)))
  }

  /** When two requests add a key at once, the first one is stored, and both read it. */
  async function add(before: readonly KeyRow[], row: KeyRow): Promise<readonly KeyRow[]> {
    await db.batch([
      db.insert(signingKeys).values(row).onConflictDoNothing(),
      ...(await rows.prepareRotationStatement(before, row)),
    ])
    return rows.select(row.use)
  }

  /** The statements that delete the key, and all keys that are gone: without the one that followed them they would seem in use again. */
  function createRemoval(
    id: string,
    stored: readonly KeyRow[],
    states: ReadonlyMap<string, KeyState>,
    audit: OperationAudit,
  ) {
    const gone = stored.filter((row) => states.get(row.id) === 'gone').map((row) => row.id)
    const removed = JSON.stringify([id, ...gone])
    const isRemoved = sql`${signingKeys.id} in (select value from ${db.sqlDialect.eachText(removed)})`
    return {
      entry: (when: SQL) => audit.createEntry('signing-key', id, auditedFields).toStatement(when),
      statement: (when?: SQL) =>
        db.delete(signingKeys).where(and(isRemoved, when)).returning({ id: signingKeys.id }),
    }
  }
}

const createChangedProblem = (use: SigningKeyUse) =>
  new Problem(
    'changed-meanwhile',
    `Cannot change the keys for "${use}": another administrator just changed them, read them again`,
  )
