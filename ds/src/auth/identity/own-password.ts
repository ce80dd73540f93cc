/** What administrators of the embedded provider change about their own password, which every change of their account asks for. */
import { Problem } from '@cardwire/protocol'
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { administrators } from '../../db/schema.ts'
import type { Account, AccountServices } from './account-row.ts'
import type { LoginAttempts } from './login-attempts.ts'
import { createOwnAccountUpdate, type Request } from './update-own-account.ts'

/** Resolves with how many sessions were ended. */
export async function changeOwnPassword(
  services: AccountServices,
  attempts: LoginAttempts,
  request: Request,
  password: string,
  newPassword: string,
): Promise<number> {
  const { passwords } = services
  const { account, passwordHash } = await verifyOwnPassword(
    services,
    attempts,
    request,
    password,
    async (account) => {
      if (account.passwordDue && newPassword === password) throw createSameProblem()
      return { account, passwordHash: await passwords.hash(newPassword) }
    },
  )
  const { change } = createOwnAccountUpdate(services, attempts)
  return change(
    request,
    account,
    ['password'],
    { passwordHash, passwordDue: false },
    isSame(account),
  )
}

const createSameProblem = () =>
  new Problem('input-invalid', 'Cannot change the password: it is the one that someone else set', {
    errors: [{ path: 'newPassword', message: 'expected another password than the current one' }],
  })

/** A wrong password is a failed login: a stolen token guesses no faster than anybody. Resolves with what is made when it is right. */
export async function verifyOwnPassword<T extends object>(
  { db, passwords }: Pick<AccountServices, 'db' | 'passwords'>,
  attempts: LoginAttempts,
  { identity, from }: Request,
  password: string,
  make: (account: Account) => Promise<T>,
): Promise<T> {
  const made = await attempts.count(identity.subject, from.address, async () => {
    const account = await readOwnAccount(db, identity.subject)
    return (await passwords.verify(password, account.passwordHash)) ? make(account) : undefined
  })
  if (made) return made
  const message = 'Cannot change the account: the password is wrong'
  return attempts.refuse(
    { from, identity, typedName: identity.subject, isKnown: true, field: 'password' },
    new Problem('password-refused', message),
  )
}

export async function readOwnAccount(db: Database, name: string): Promise<Account> {
  const [account] = await db.select().from(administrators).where(eq(administrators.name, name))
  if (!account) throw new Error('Cannot read an account: it was removed meanwhile')
  return account
}

/** Whether a row still is what was read: with the same password and the same second factor. */
export const isSame = ({ passwordHash, totpSecret }: Account): SQL | undefined =>
  and(
    eq(administrators.passwordHash, passwordHash),
    totpSecret === null
      ? isNull(administrators.totpSecret)
      : eq(administrators.totpSecret, totpSecret),
  )
