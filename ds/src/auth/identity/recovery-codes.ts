/** Recovery codes: each signs in once in place of a code of the second factor. */
import { and, desc, eq, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { createAudit, exists } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { insertWhere } from '../../db/insert-where.ts'
import { recoveryCodes } from '../../db/schema.ts'
import type { Clock, Digest, Random } from '../../ports.ts'
import { generateRecoveryCode } from './generate-password.ts'
import type { LoginSource } from './provider.ts'

/** How many an account has at once. */
const count = 10

export interface RecoveryCodeServices {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly digest: Digest
}

/** Whether something is no code of an authenticator app, which has six digits. */
export const isRecoveryCode = (code: string): boolean => !/^\d{6}$/.test(code)

export const deleteRecoveryCodes = (db: Database, name: string, when?: SQL) =>
  db.delete(recoveryCodes).where(and(eq(recoveryCodes.administrator, name), when))

export function createRecoveryCodeStore({ db, clock, random, digest }: RecoveryCodeServices) {
  /** Of the account, so that equal codes of two accounts are two rows; without what is only there to be read. */
  const hash = (name: string, code: string) =>
    digest(`${name} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)

  return {
    /** New codes, and the statements that replace those of an account when a condition holds. */
    async prepare(name: string) {
      const codes = Array.from({ length: count }, () => generateRecoveryCode(random))
      const rows = await Promise.all(
        codes.map(async (code) => ({ hash: await hash(name, code), administrator: name })),
      )
      const toStatements = (when: SQL) => [
        deleteRecoveryCodes(db, name, when),
        ...rows.map((row) => insertWhere(db, recoveryCodes, row, when)),
      ]
      return { codes, toStatements }
    },

    /** Accepts a code once, over all nodes, with an entry in the audit. */
    async accept(
      name: string,
      issuer: string,
      code: string,
      { address, requestId }: LoginSource,
    ): Promise<boolean> {
      const isIt = and(
        eq(recoveryCodes.administrator, name),
        eq(recoveryCodes.hash, await hash(name, code)),
        isNull(recoveryCodes.usedAt),
      )
      const identity = { subject: name, issuer, name }
      const audit = createAudit({ db, clock }, 'useRecoveryCode', { identity, address, requestId })
      const [, used] = await db.batch([
        audit
          .createEntry('administrator', name, ['recoveryCode'])
          .toStatement(exists(recoveryCodes, isIt)),
        db
          .update(recoveryCodes)
          .set({ usedAt: clock(), usedFrom: address })
          .where(isIt)
          .returning({ hash: recoveryCodes.hash }),
      ])
      return used.length > 0
    },

    /** How many an account has left, and where the others were used, the last one first. */
    async describe(name: string) {
      const ofAccount = eq(recoveryCodes.administrator, name)
      const used = await db
        .select({ usedAt: recoveryCodes.usedAt, usedFrom: recoveryCodes.usedFrom })
        .from(recoveryCodes)
        .where(and(ofAccount, isNotNull(recoveryCodes.usedAt)))
        .orderBy(desc(recoveryCodes.usedAt))
      return {
        left: await db.$count(recoveryCodes, and(ofAccount, isNull(recoveryCodes.usedAt))),
        used: used.map(({ usedAt, usedFrom }) => ({
          at: new Date(usedAt ?? 0).toISOString(),
          address: usedFrom ?? '',
        })),
      }
    },
  }
}
