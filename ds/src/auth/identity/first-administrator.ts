/** Creates the first administrator of the embedded identity provider. */
import { eq, not } from 'drizzle-orm'
import { createAudit, exists, localSource } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { administrators } from '../../db/schema.ts'
import type { Clock, Passwords } from '../../ports.ts'

interface FirstAdministratorServices {
  readonly db: Database
  readonly clock: Clock
  readonly passwords: Passwords
}

export async function hasAdministrator(db: Database): Promise<boolean> {
  const [any] = await db.select({ name: administrators.name }).from(administrators).limit(1)
  return any !== undefined
}

/** Creates the administrator when there is none at all; returns whether this call did. */
export async function ensureFirstAdministrator(
  { db, clock, passwords }: FirstAdministratorServices,
  name: string,
  password: string,
): Promise<boolean> {
  if (await hasAdministrator(db)) return false
  const now = clock()
  const row = { name, passwordHash: await passwords.hash(password), createdAt: now, updatedAt: now }
  const audit = createAudit({ db, clock }, 'addAdministrator', localSource)
  const isFree = not(exists(administrators, eq(administrators.name, name)))
  const [, [created]] = await db.batch([
    audit.createEntry('administrator', name, ['name', 'password']).toStatement(isFree),
    db.insert(administrators).values(row).onConflictDoNothing().returning(),
  ])
  return created !== undefined
}
