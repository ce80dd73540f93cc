/** Lists and changes the accounts of the embedded identity provider, for the administrators' command. */
import { eq } from 'drizzle-orm'
import { createAudit, exists, localSource } from '../db/audit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { administrators, browserSessions, sessions } from '../db/schema.ts'
import { nameLength, passwordLength } from '../rules/account-limits.ts'
import type { Services } from '../services.ts'

/** A failure that the person at the terminal can act on. */
export class AccountError extends Error {}

export function createAccounts({
  db,
  clock,
  passwords,
}: Pick<Services, 'db' | 'clock' | 'passwords'>) {
  const isNamed = (name: string) => eq(administrators.name, name)
  const isKnown = async (name: string) => (await db.$count(administrators, isNamed(name))) > 0
  const entry = (operation: string, name: string, fields: readonly string[]) =>
    createAudit({ db, clock }, operation, localSource).createEntry('administrator', name, fields)
  const hashPassword = (password: string) => {
    const { min, max } = passwordLength
    if (password.length < min || password.length > max) {
      throw new AccountError(
        `Cannot accept this password: it has ${password.length} characters, expected ${min} to ${max}`,
      )
    }
    return passwords.hash(password)
  }

  return {
    async list(): Promise<readonly { readonly name: string; readonly createdAt: number }[]> {
      return db.select().from(administrators).orderBy(administrators.name)
    },
    /** Throws when the name cannot be added, before anybody chooses a password for it. */
    async requireNew(name: string): Promise<void> {
      checkName(name)
      if (await isKnown(name)) throw createTakenError(name)
    },
    /** Throws when there is no such administrator, before anybody chooses a password. */
    async requireKnown(name: string): Promise<void> {
      if (!(await isKnown(name))) throw createUnknownError(name)
    },
    async add(name: string, password: string): Promise<void> {
      checkName(name)
      const now = clock()
      const row = {
        name,
        passwordHash: await hashPassword(password),
        createdAt: now,
        updatedAt: now,
      }
      await mapConstraintError(
        db.batch([
          entry('addAdministrator', name, ['name', 'password']).toStatement(),
          db.insert(administrators).values(row),
        ]),
        () => createTakenError(name),
      )
    },
    /** Ends the account's sessions. */
    async changePassword(name: string, password: string): Promise<void> {
      const passwordHash = await hashPassword(password)
      const [, changed] = await db.batch([
        entry('changePassword', name, ['password']).toStatement(
          exists(administrators, isNamed(name)),
        ),
        db
          .update(administrators)
          .set({ passwordHash, updatedAt: clock() })
          .where(isNamed(name))
          .returning(),
        db.delete(sessions).where(eq(sessions.administrator, name)),
        db.delete(browserSessions).where(eq(browserSessions.administrator, name)),
      ])
      if (changed.length === 0) throw createUnknownError(name)
    },
    async remove(name: string): Promise<void> {
      const all = await db.select().from(administrators).limit(2)
      if (all.length === 1 && all[0]?.name === name) {
        throw new AccountError(`Cannot remove "${name}": it is the last administrator`)
      }
      const [, [removed]] = await db.batch([
        entry('removeAdministrator', name, ['name', 'password']).toStatement(
          exists(administrators, isNamed(name)),
        ),
        db.delete(administrators).where(isNamed(name)).returning(),
      ])
      if (!removed) throw createUnknownError(name)
    },
  }
}

function checkName(name: string): void {
  if (name.trim() !== '' && name.length <= nameLength.max) return
  throw new AccountError(`Cannot accept this name: expected 1 to ${nameLength.max} characters`)
}

const createTakenError = (name: string) =>
  new AccountError(
    `Cannot add "${name}": the administrator exists already; "password ${name}" changes the password`,
  )

const createUnknownError = (name: string) =>
  new AccountError(`Cannot find "${name}": there is no such administrator`)
