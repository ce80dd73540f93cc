/** A login with a password: checks the credentials. */
import { Problem } from '@cardwire/client/protocol'
import { eq } from 'drizzle-orm'
import { administrators } from '../../db/schema.ts'
import type { Passwords } from '../../ports.ts'
import type { Account } from './account-row.ts'
import { createGrantRefusedProblem } from './grant-refused.ts'
import type { LoginAttempts } from './login-attempts.ts'
import type { Credentials } from './provider.ts'
import { createSecondFactor, hasSecondFactor, type SecondFactorServices } from './second-factor.ts'

interface PasswordLoginServices extends SecondFactorServices {
  readonly passwords: Passwords
}

export function createPasswordLogin(services: PasswordLoginServices, attempts: LoginAttempts) {
  const { db, passwords } = services
  const secondFactor = createSecondFactor(services)

  return authenticate

  /** The account with these credentials. Throws `grant-refused`, `second-factor-required` or `too-many-requests`. */
  async function authenticate(
    { name, password, code }: Credentials,
    address: string,
  ): Promise<Account> {
    const account = await attempts.count(name, address, async () => {
      const [found] = await db.select().from(administrators).where(eq(administrators.name, name))
      return (await passwords.verify(password, found?.passwordHash)) ? found : undefined
    })
    if (!account)
      return attempts.refuse(address, createGrantRefusedProblem('user name or password'))
    if (!hasSecondFactor(account)) return account
    // The attempt stays counted: whoever knows the password guesses codes no faster by leaving some out.
    if (code === undefined) throw createCodeMissingProblem()
    if (await secondFactor.accept(account, code)) return account
    return attempts.refuse(address, createGrantRefusedProblem('code'))
  }
}

const createCodeMissingProblem = () =>
  new Problem(
    'second-factor-required',
    'Cannot log in: the account has a second factor, send its code in "totp"',
  )
