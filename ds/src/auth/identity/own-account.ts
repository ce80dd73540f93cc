/** What administrators of the embedded provider change about their own account: password and second factor. */
import { Problem } from '@cardwire/client/protocol'
import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { administrators } from '../../db/schema.ts'
import type { Clock, Passwords, Random } from '../../ports.ts'
import type { Vault } from '../keys/vault.ts'
import type { Account } from './account-row.ts'
import type { LoginAttempts } from './login-attempts.ts'
import type { Identity } from './provider.ts'
import { createSecondFactor, hasSecondFactor, lacksSecondFactor } from './second-factor.ts'
import { createOwnAccountUpdate, type Request } from './update-own-account.ts'

interface OwnAccountServices {
  readonly url: string
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly passwords: Passwords
}

export function createOwnAccount(services: OwnAccountServices, attempts: LoginAttempts) {
  const { db, passwords } = services
  const secondFactor = createSecondFactor(services)
  const { update, change } = createOwnAccountUpdate(services, attempts)

  return {
    async hasSecondFactor({ subject }: Identity): Promise<boolean> {
      return hasSecondFactor(await read(subject))
    },

    /** Resolves with how many sessions were ended. */
    async changePassword(request: Request, password: string, newPassword: string) {
      const { account, passwordHash } = await verifyPassword(
        request,
        password,
        async (account) => ({
          account,
          passwordHash: await passwords.hash(newPassword),
        }),
      )
      return change(request, account, ['password'], { passwordHash }, isSame(account))
    },

    /** A new secret, which asks for nothing before a code has confirmed it. */
    async begin(request: Request, password: string) {
      const account = await verifyPassword(request, password, keep)
      if (hasSecondFactor(account)) throw createTakenProblem()
      const { wrapped, secret, uri } = await secondFactor.create(account.name)
      const where = and(isSame(account), lacksSecondFactor)
      await update(request, account, ['secondFactor'], { totpSecret: wrapped }, where)
      return { secret, uri }
    },

    /** Resolves with how many sessions were ended. */
    async confirm(request: Request, code: string) {
      const { identity, address } = request
      const { account, totpStep, totpSecret } = await attempts.count(
        identity.subject,
        address,
        async () => {
          const account = await read(identity.subject)
          const { totpSecret } = account
          if (hasSecondFactor(account)) throw createTakenProblem()
          if (totpSecret === null) throw createUnknownProblem()
          return { account, totpSecret, totpStep: await secondFactor.findStep(account, code) }
        },
      )
      if (totpStep === undefined) {
        const message = 'Cannot confirm the second factor: the code is wrong or no longer valid'
        return attempts.refuse(address, new Problem('code-refused', message))
      }
      const isBegun = and(lacksSecondFactor, eq(administrators.totpSecret, totpSecret))
      return change(request, account, ['secondFactor'], { totpStep }, isBegun)
    },

    async remove(request: Request, password: string): Promise<void> {
      const account = await verifyPassword(request, password, keep)
      if (account.totpSecret === null) throw createUnknownProblem()
      const where = and(isSame(account), isNotNull(administrators.totpSecret))
      const values = { totpSecret: null, totpStep: null }
      await update(request, account, ['secondFactor'], values, where)
    },
  }

  async function read(name: string): Promise<Account> {
    const [account] = await db.select().from(administrators).where(eq(administrators.name, name))
    if (!account) throw new Error('Cannot read an account: it was removed meanwhile')
    return account
  }

  /** A wrong password is a failed login: a stolen token guesses no faster than anybody. Resolves with what is made when it is right. */
  async function verifyPassword<T extends object>(
    { identity, address }: Request,
    password: string,
    make: (account: Account) => Promise<T>,
  ): Promise<T> {
    const made = await attempts.count(identity.subject, address, async () => {
      const account = await read(identity.subject)
      return (await passwords.verify(password, account.passwordHash)) ? make(account) : undefined
    })
    if (made) return made
    const message = 'Cannot change the account: the password is wrong'
    return attempts.refuse(address, new Problem('password-refused', message))
  }
}

const keep = async (account: Account): Promise<Account> => account

const isSame = ({ passwordHash, totpSecret }: Account): SQL | undefined =>
  and(
    eq(administrators.passwordHash, passwordHash),
    totpSecret === null
      ? isNull(administrators.totpSecret)
      : eq(administrators.totpSecret, totpSecret),
  )

const createTakenProblem = () =>
  new Problem(
    'second-factor-taken',
    'Cannot begin a second factor: the account has one, remove it before',
  )

const createUnknownProblem = () =>
  new Problem(
    'second-factor-unknown',
    'Cannot change the second factor: the account has none, begin one before',
  )
