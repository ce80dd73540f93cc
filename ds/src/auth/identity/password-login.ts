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
    const found = await attempts.count(name, address, async () => {
      const [account] = await db.select().from(administrators).where(eq(administrators.name, name))
      if (!(await passwords.verify(password, account?.passwordHash)) || !account) return undefined
      return { account, isComplete: await acceptCode(account, code) }
    })
    if (!found) return attempts.refuse(address, createGrantRefusedProblem('user name or password'))
    if (found.isComplete) return found.account
    // The attempt stays counted: whoever knows the password guesses codes no faster by leaving some out.
    if (code === undefined) throw createCodeMissingProblem()
    return attempts.refuse(address, createGrantRefusedProblem('code'))
  }

  async function acceptCode(account: Account, code: string | undefined): Promise<boolean> {
    return !hasSecondFactor(account) || (code !== undefined && secondFactor.accept(account, code))
  }
}

const createCodeMissingProblem = () =>
  new Problem(
    'second-factor-required',
    'Cannot sign in: the account has a second factor, send its code in "totp"',
  )
