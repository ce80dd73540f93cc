/** Stores signing keys: adds those that are missing, announces, activates and retires one. */
import type { SigningKeyUse } from '@cardwire/protocol'
import { and, eq, gt, lt } from 'drizzle-orm'
import { exists, type OperationAudit } from '../../db/audit.ts'
import { limitInBatch } from '../../db/batch-conditions.ts'
import { mapConstraintError } from '../../db/constraint-error.ts'
import { signingKeys } from '../../db/schema.ts'
import { standbySignsFrom } from '../../rules/key-states.ts'
import {
  auditedFields,
  createChangedProblem,
  createKeyRows,
  type KeyStoreParts,
} from './key-rows.ts'
import { createKeyLoader } from './load-keys.ts'
import { createKeyRetirement } from './retire-key.ts'
import type { KeyRow, LoadedKey } from './signing-key.ts'

/** How many keys of a use wait for their time at once: every device and every verifier gets all of them. */
export const maxAnnounced = 8

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

export function createKeyStore(parts: KeyStoreParts): KeyStore {
  const { db, clock, settings } = parts
  const rows = createKeyRows(parts)
  const overlapMs = settings.keyOverlapS * 1000

  /** Others may have announced keys since they were counted. */
  const limitAnnounced = (use: SigningKeyUse) => {
    const { signsFrom } = signingKeys
    const isAnnounced = and(gt(signsFrom, clock()), lt(signsFrom, standbySignsFrom))
    return limitInBatch(db, signingKeys, and(eq(signingKeys.use, use), isAnnounced), maxAnnounced)
  }

  return {
    load: createKeyLoader(parts, rows),

    async announce(use, audit) {
      const stored = await rows.select(use)
      const row = await rows.generate(stored, { use, signsFrom: clock() + overlapMs })
      await mapConstraintError(
        db.batch([
          audit.createEntry('signing-key', row.id, auditedFields).toStatement(),
          db.insert(signingKeys).values(row),
          ...(await rows.prepareRotationStatement(stored, row)),
          limitAnnounced(use),
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
        limitAnnounced('reply'),
      ])
      if (activated.length === 0) throw createChangedProblem('reply')
    },

    retire: createKeyRetirement(parts, rows),
  }
}
