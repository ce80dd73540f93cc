/** What the administrators' command does to the accounts of the embedded identity provider. */
import { eq } from 'drizzle-orm'
import { auditOf, local, there } from '../db/audit.ts'
import { administrators, sessions } from '../db/schema.ts'
import { refusing } from '../db/violation.ts'
import { nameLength, passwordLength } from '../rules/account.ts'
import type { Services } from '../services.ts'

/** A refusal that the person at the terminal can act on. */
export class AccountError extends Error {}

export function accounts({ db, clock, passwords }: Pick<Services, 'db' | 'clock' | 'passwords'>) {
  const found = (name: string) => eq(administrators.name, name)
  const entry = (operation: string, name: string, fields: readonly string[]) =>
    auditOf({ db, clock }, operation, local).entry('administrator', name, fields)
  const hashOf = (password: string) => {
    const { least, most } = passwordLength
    if (password.length < least || password.length > most) {
      throw new AccountError(
        `Cannot take this password: it has ${password.length} characters, expected ${least} to ${most}`,
      )
    }
    return passwords.hash(password)
  }

  return {
    async list(): Promise<readonly { readonly name: string; readonly createdAt: number }[]> {
      return db.select().from(administrators).orderBy(administrators.name)
    },
    async add(name: string, password: string): Promise<void> {
      if (name.trim() === '' || name.length > nameLength.most) {
        throw new AccountError(`Cannot take this name: expected 1 to ${nameLength.most} characters`)
      }
      const now = clock()
      const row = { name, passwordHash: await hashOf(password), createdAt: now, updatedAt: now }
      await refusing(
        db.batch([
          entry('addAdministrator', name, ['name', 'password']).statement(),
          db.insert(administrators).values(row),
        ]),
        () => new AccountError(`Cannot add "${name}": there is such an administrator`),
      )
    },
    /** The old sessions end: whoever knew the old password is out within the five minutes an access token lives. */
    async changePassword(name: string, password: string): Promise<void> {
      const passwordHash = await hashOf(password)
      const [, changed] = await db.batch([
        entry('changePassword', name, ['password']).statement(there(administrators, found(name))),
        db
          .update(administrators)
          .set({ passwordHash, updatedAt: clock() })
          .where(found(name))
          .returning(),
        db.delete(sessions).where(eq(sessions.administrator, name)),
      ])
      if (changed.length === 0) throw unknown(name)
    },
    async remove(name: string): Promise<void> {
      const all = await db.select().from(administrators).limit(2)
      if (all.length === 1 && all[0]?.name === name) {
        throw new AccountError(`Cannot remove "${name}": it is the last administrator`)
      }
      const [, [removed]] = await db.batch([
        entry('removeAdministrator', name, ['name', 'password']).statement(
          there(administrators, found(name)),
        ),
        db.delete(administrators).where(found(name)).returning(),
      ])
      if (!removed) throw unknown(name)
    },
  }
}

const unknown = (name: string) =>
  new AccountError(`Cannot find "${name}": there is no such administrator`)
