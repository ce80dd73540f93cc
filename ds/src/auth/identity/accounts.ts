/** The accounts of the embedded identity provider: how the API and the administrators' command change them. */
import { Problem, type Role } from '@cardwire/client/protocol'
import { and, eq, isNotNull, ne, or, type SQL } from 'drizzle-orm'
import { exists, isDistinctFrom, type OperationAudit, selectChangedFields } from '../../db/audit.ts'
import { mapConstraintError } from '../../db/constraint-error.ts'
import type { Database } from '../../db/database.ts'
import { administrators, browserSessions, sessions } from '../../db/schema.ts'
import type { Clock, Passwords } from '../../ports.ts'

export type Account = typeof administrators.$inferSelect

interface AccountServices {
  readonly db: Database
  readonly clock: Clock
  readonly passwords: Passwords
}

export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts({ db, clock, passwords }: AccountServices) {
  const isNamed = (name: string) => eq(administrators.name, name)
  const isKnown = (name: string) => exists(administrators, isNamed(name))
  /** Whether an administrator is left without this account. */
  const hasOther = (name: string) =>
    exists(
      administrators,
      and(ne(administrators.name, name), eq(administrators.role, 'administrator')),
    )
  const find = async (name: string): Promise<Account> => {
    const [row] = await db.select().from(administrators).where(isNamed(name))
    if (!row) throw createUnknownProblem(name)
    return row
  }
  const deleteSessions = (name: string, when?: SQL) =>
    [
      db.delete(sessions).where(and(eq(sessions.administrator, name), when)),
      db.delete(browserSessions).where(and(eq(browserSessions.administrator, name), when)),
    ] as const
  const change = (name: string, set: Partial<Account>, when?: SQL) =>
    db
      .update(administrators)
      .set({ ...set, updatedAt: clock() })
      .where(and(isNamed(name), when))
      .returning()

  return {
    /** Throws `administrator-unknown`. */
    find,
    list: () => db.select().from(administrators).orderBy(administrators.name),
    isTaken: async (name: string) => (await db.$count(administrators, isNamed(name))) > 0,
    /** Throws `administrator-taken`. */
    async add(audit: OperationAudit, name: string, role: Role, password: string): Promise<Account> {
      const now = clock()
      const row = {
        name,
        role,
        passwordHash: await passwords.hash(password),
        totpSecret: null,
        totpStep: null,
        createdAt: now,
        updatedAt: now,
      }
      await mapConstraintError(
        db.batch([
          audit.createEntry('administrator', name, ['name', 'password', 'role']).toStatement(),
          db.insert(administrators).values(row),
        ]),
        () => createTakenProblem(name),
      )
      return row
    },
    /** Throws `administrator-last` when no account with the role administrator would be left. */
    async changeRole(audit: OperationAudit, name: string, role: Role): Promise<Account> {
      const keepsOne = role === 'administrator' ? undefined : or(hasOther(name), isDispensable)
      const fields = selectChangedFields(administrators, isNamed(name), {
        role: isDistinctFrom(administrators.role, role),
      })
      const [, [row]] = await db.batch([
        audit
          .createEntry('administrator', name, fields)
          .toStatement(exists(administrators, and(isNamed(name), keepsOne))),
        change(name, { role }, keepsOne),
      ])
      if (row) return row
      await find(name)
      throw createLastProblem('take the role from', name)
    },
    /** Ends the account's sessions. */
    async changePassword(audit: OperationAudit, name: string, password: string): Promise<Account> {
      const passwordHash = await passwords.hash(password)
      const [, [row]] = await db.batch([
        audit.createEntry('administrator', name, ['password']).toStatement(isKnown(name)),
        change(name, { passwordHash }),
        ...deleteSessions(name),
      ])
      if (!row) throw createUnknownProblem(name)
      return row
    },
    /** Ends the account's sessions, when it has a second factor. */
    async resetSecondFactor(audit: OperationAudit, name: string): Promise<Account> {
      const has = and(isNamed(name), isNotNull(administrators.totpSecret))
      const hasFactor = exists(administrators, has)
      const [, , , [row]] = await db.batch([
        audit.createEntry('administrator', name, ['secondFactor']).toStatement(hasFactor),
        ...deleteSessions(name, hasFactor),
        change(name, { totpSecret: null, totpStep: null }, isNotNull(administrators.totpSecret)),
      ])
      if (row) return row
      audit.markUnchanged()
      return find(name)
    },
    /** Throws `administrator-last` when no account with the role administrator would be left. */
    async remove(audit: OperationAudit, name: string): Promise<void> {
      const keepsOne = and(isNamed(name), or(hasOther(name), isDispensable))
      const [, [removed]] = await db.batch([
        audit
          .createEntry('administrator', name, ['name', 'password', 'role'])
          .toStatement(exists(administrators, keepsOne)),
        db.delete(administrators).where(keepsOne).returning(),
      ])
      if (removed) return
      await find(name)
      throw createLastProblem('remove', name)
    },
    /** Ends the sessions of an account, or the one with this id; resolves with their number. */
    async endSessions(audit: OperationAudit, name: string, id?: string): Promise<number> {
      await find(name)
      const isOfProgram = and(
        eq(sessions.administrator, name),
        id ? eq(sessions.id, id) : undefined,
      )
      const isOfBrowser = and(
        eq(browserSessions.administrator, name),
        id ? eq(browserSessions.id, id) : undefined,
      )
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

/** Whether a row is of an account that need not stay. */
const isDispensable = ne(administrators.role, 'administrator')

export const createTakenProblem = (name: string) =>
  new Problem('administrator-taken', `Cannot add "${name}": the administrator exists already`)

const createUnknownProblem = (name: string) =>
  new Problem('administrator-unknown', `Cannot find "${name}": there is no such administrator`)

const createLastProblem = (what: string, name: string) =>
  new Problem('administrator-last', `Cannot ${what} "${name}": it is the last administrator`)
