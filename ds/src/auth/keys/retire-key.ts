/** Deletes a signing key; when it was the one that signs, its successor signs at once. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { exists, type OperationAudit } from '../../db/audit.ts'
import { mapConstraintError } from '../../db/constraint-error.ts'
import { signingKeys } from '../../db/schema.ts'
import type { KeyState } from '../../rules/key-states.ts'
import {
  auditedFields,
  createChangedProblem,
  type KeyRows,
  type KeyStoreParts,
} from './key-rows.ts'
import type { KeyRow } from './signing-key.ts'

export function createKeyRetirement(parts: KeyStoreParts, rows: KeyRows) {
  const { db, clock } = parts

  return async ({ id, use }: Pick<KeyRow, 'id' | 'use'>, audit: OperationAudit): Promise<void> => {
    const stored = await rows.select(use)
    const states = rows.getStates(stored)
    const removal = createRemoval(parts, id, stored, states, audit)
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
        db.update(signingKeys).set({ signsFrom }).where(and(isSuccessor, areUnchanged)).returning(),
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
  }
}

/** The statements that delete the key, and all keys that are gone: without the one that followed them they would seem in use again. */
function createRemoval(
  { db }: Pick<KeyStoreParts, 'db'>,
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
