/** What ends the sessions of an account: another password, no second factor, or an administrator. */
import { and, eq, isNotNull, or, type SQL } from 'drizzle-orm'
import { exists, type OperationAudit } from '../../db/audit.ts'
import { administrators, browserSessions, sessions } from '../../db/schema.ts'
import {
  type Account,
  type AccountServices,
  createUnknownProblem,
  findAccount,
  isNamed,
  type PasswordOptions,
  updateAccount,
} from './account-row.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'

export function createSessionEndings(services: AccountServices) {
  const { db, passwords } = services
  const deleteSessions = (name: string, when?: SQL) =>
    [
      db.delete(sessions).where(and(eq(sessions.administrator, name), when)),
      db.delete(browserSessions).where(and(eq(browserSessions.administrator, name), when)),
    ] as const

  return {
    /** Ends the account's sessions. Its owner has to change the password first, unless they keep it. */
    async changePassword(
      audit: OperationAudit,
      name: string,
      password: string,
      { keeps = false }: PasswordOptions = {},
    ): Promise<Account> {
      const passwordHash = await passwords.hash(password)
      const [, [row]] = await db.batch([
        audit
          .createEntry('administrator', name, ['password'])
          .toStatement(exists(administrators, isNamed(name))),
        updateAccount(services, name, { passwordHash, passwordDue: !keeps }),
        ...deleteSessions(name),
      ])
      if (!row) throw createUnknownProblem(name)
      return row
    },
    /** Ends the account's sessions, when it has a second factor. */
    async resetSecondFactor(audit: OperationAudit, name: string): Promise<Account> {
      const has = and(isNamed(name), isNotNull(administrators.totpSecret))
      const hasFactor = exists(administrators, has)
      const [, , , , [row]] = await db.batch([
        audit.createEntry('administrator', name, ['secondFactor']).toStatement(hasFactor),
        ...deleteSessions(name, hasFactor),
        deleteRecoveryCodes(db, name, hasFactor),
        updateAccount(
          services,
          name,
          { totpSecret: null, totpStep: null },
          isNotNull(administrators.totpSecret),
        ),
      ])
      if (row) return row
      audit.markUnchanged()
      return findAccount(db, name)
    },
    /** Ends the sessions of an account, or the one with this id; resolves with their number. */
    async endSessions(audit: OperationAudit, name: string, id?: string): Promise<number> {
      await findAccount(db, name)
      const isOfProgram = isSession(sessions, name, id)
      const isOfBrowser = isSession(browserSessions, name, id)
      const [, ofPrograms, ofBrowsers] = await db.batch([
        audit
          .createEntry('administrator', name, ['session'])
          .toStatement(or(exists(sessions, isOfProgram), exists(browserSessions, isOfBrowser))),
        db.delete(sessions).where(isOfProgram).returning(),
        db.delete(browserSessions).where(isOfBrowser).returning(),
      ])
      return ofPrograms.length + ofBrowsers.length
    },
  }
}

/** Whether a row is a session of the account, the one with this id when it is given. */
const isSession = (
  { administrator, id: idColumn }: typeof sessions | typeof browserSessions,
  name: string,
  id: string | undefined,
) => and(eq(administrator, name), id ? eq(idColumn, id) : undefined)
