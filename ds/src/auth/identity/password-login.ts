/** A login with a password: checks the credentials. */
import { Problem } from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import { administrators } from '../../db/schema.ts'
import type { Passwords } from '../../ports.ts'
import type { Account } from './account-row.ts'
import { createGrantRefusedProblem } from './grant-refused.ts'
import type { LoginAttempts } from './login-attempts.ts'
import type { Credentials, LoginSource } from './provider.ts'
import {
  createRecoveryCodeStore,
  isRecoveryCode,
  type RecoveryCodeServices,
} from './recovery-codes.ts'
import { createSecondFactor, hasSecondFactor, type SecondFactorServices } from './second-factor.ts'

interface PasswordLoginServices extends SecondFactorServices, RecoveryCodeServices {
  readonly passwords: Passwords
}

interface Login {
  readonly account: Account
  /** Whether a recovery code was used. */
  readonly recovered: boolean
}

/** `signsIn`: whether an account with this name does. Another one is refused like one that does not exist. */
export function createPasswordLogin(
  services: PasswordLoginServices,
  issuer: string,
  attempts: LoginAttempts,
  signsIn: (name: string) => boolean,
) {
  const { db, passwords } = services
  const secondFactor = createSecondFactor(services)
  const recovery = createRecoveryCodeStore(services)

  return authenticate

  /** The account with these credentials. Throws `grant-refused`, `second-factor-required` or `too-many-requests`. */
  async function authenticate(
    { name, password, code }: Credentials,
    from: LoginSource,
  ): Promise<Login> {
    const { account, wrong, recovered } = await attempts.count(name, from.address, async () => {
      const [found] = await db.select().from(administrators).where(eq(administrators.name, name))
      const account = signsIn(name) ? found : undefined
      if (!(await passwords.verify(password, account?.passwordHash)) || !account)
        return { account, wrong: 'password' } as const
      if (!hasSecondFactor(account)) return { account, wrong: undefined, recovered: false } as const
      const recovered = code !== undefined && isRecoveryCode(code)
      return (await acceptCode(account, code, from))
        ? ({ account, wrong: undefined, recovered } as const)
        : ({ account, wrong: recovered ? 'recoveryCode' : 'secondFactor' } as const)
    })
    if (wrong === undefined) return { account, recovered }
    const refused = { from, typedName: name, isKnown: account !== undefined, field: wrong }
    if (wrong === 'password')
      return attempts.refuse(refused, createGrantRefusedProblem('user name or password'))
    if (code !== undefined) return attempts.refuse(refused, createGrantRefusedProblem('code'))
    // The attempt stays counted: whoever knows the password guesses codes no faster by leaving some out.
    await attempts.record(refused)
    throw createCodeMissingProblem()
  }

  async function acceptCode(
    account: Account,
    code: string | undefined,
    from: LoginSource,
  ): Promise<boolean> {
    if (code === undefined) return false
    return isRecoveryCode(code)
      ? recovery.accept(account.name, issuer, code, from)
      : secondFactor.accept(account, code)
  }
}

const createCodeMissingProblem = () =>
  new Problem(
    'second-factor-required',
    'Cannot sign in: the account uses two-factor authentication, send the code in "totp"',
  )
