/** The accounts of the embedded identity provider: how the API and the administrators' command change them. */
import { Problem, type Role } from '@cardwire/protocol'
import { and, eq, ne, or } from 'drizzle-orm'
import { exists, isDistinctFrom, type OperationAudit, selectChangedFields } from '../../db/audit.ts'
import { mapConstraintError } from '../../db/constraint-error.ts'
import { administrators } from '../../db/schema.ts'
import {
  type Account,
  type AccountServices,
  findAccount,
  isNamed,
  type PasswordOptions,
  updateAccount,
} from './account-row.ts'
import { createSessionEndings } from './account-sessions.ts'

interface NewAccount extends PasswordOptions {
  readonly name: string
  readonly role: Role
  readonly password: string
}

export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts(services: AccountServices) {
  const { db, clock, passwords } = services
  const find = (name: string) => findAccount(db, name)
  /** Whether an administrator is left without this account. */
  const hasOther = (name: string) =>
    exists(
      administrators,
      and(ne(administrators.name, name), eq(administrators.role, 'administrator')),
    )

  return {
    ...createSessionEndings(services),
    /** Throws `administrator-unknown`. */
    find,
    list: () => db.select().from(administrators).orderBy(administrators.name),
    isTaken: async (name: string) => (await db.$count(administrators, isNamed(name))) > 0,
    /** Its owner has to change the password first, unless they keep it. Throws `administrator-taken`. */
    async add(
      audit: OperationAudit,
      { name, role, password, keeps = false }: NewAccount,
    ): Promise<Account> {
      const passwordHash = await passwords.hash(password)
      const row = createAccount({ name, role, passwordHash, passwordDue: !keeps }, clock())
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
        updateAccount(services, name, { role }, keepsOne),
      ])
      if (row) return row
      await find(name)
      throw createLastProblem('take the role from', name)
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
  }
}

/** An account without a second factor. */
const createAccount = (
  given: Pick<Account, 'name' | 'role' | 'passwordHash' | 'passwordDue'>,
  now: number,
): Account => ({
  ...given,
  totpSecret: null,
  totpStep: null,
  createdAt: now,
  updatedAt: now,
})

/** Whether a row is of an account that need not stay. */
const isDispensable = ne(administrators.role, 'administrator')

export const createTakenProblem = (name: string) =>
  new Problem('administrator-taken', `Cannot add "${name}": the administrator exists already`)

const createLastProblem = (what: string, name: string) =>
  new Problem('administrator-last', `Cannot ${what} "${name}": it is the last administrator`)
