/** What administrators of the embedded provider change about their own second factor. */
import { Problem } from '@cardwire/client/protocol'
import { and, eq, isNotNull } from 'drizzle-orm'
import { administrators } from '../../db/schema.ts'
import type { Account, AccountServices } from './account-row.ts'
import type { LoginAttempts } from './login-attempts.ts'
import { isSame, readOwnAccount, verifyOwnPassword } from './own-password.ts'
import type { Identity } from './provider.ts'
import {
  createSecondFactor,
  hasSecondFactor,
  lacksSecondFactor,
  type SecondFactorServices,
} from './second-factor.ts'
import { createOwnAccountUpdate, type Request } from './update-own-account.ts'

export function createOwnSecondFactor(
  services: SecondFactorServices & AccountServices,
  attempts: LoginAttempts,
) {
  const { db } = services
  const secondFactor = createSecondFactor(services)
  const { update, change } = createOwnAccountUpdate(services, attempts)

  return {
    async isActive({ subject }: Identity): Promise<boolean> {
      return hasSecondFactor(await readOwnAccount(db, subject))
    },

    /** A new secret, which asks for nothing before a code has confirmed it. */
    async begin(request: Request, password: string) {
      const account = await verifyPassword(request, password, (account) => {
        if (hasSecondFactor(account)) throw createTakenProblem()
      })
      const { wrapped, secret, uri } = await secondFactor.create(account.name)
      const where = and(isSame(account), lacksSecondFactor)
      await update(request, account, ['secondFactor'], { totpSecret: wrapped }, where)
      return { secret, uri }
    },

    /** Resolves with how many sessions were ended. */
    async confirm(request: Request, code: string) {
      const { identity, from } = request
      const { account, totpStep, totpSecret } = await attempts.count(
        identity.subject,
        from.address,
        async () => {
          const account = await readOwnAccount(db, identity.subject)
          const { totpSecret } = account
          if (hasSecondFactor(account)) throw createTakenProblem()
          if (totpSecret === null) throw createUnknownProblem()
          return { account, totpSecret, totpStep: await secondFactor.findStep(account, code) }
        },
      )
      if (totpStep === undefined) {
        const message = 'Cannot confirm the second factor: the code is wrong or no longer valid'
        return attempts.refuse(
          { from, identity, typedName: identity.subject, isKnown: true, field: 'secondFactor' },
          new Problem('code-refused', message),
        )
      }
      const isBegun = and(lacksSecondFactor, eq(administrators.totpSecret, totpSecret))
      return change(request, account, ['secondFactor'], { totpStep }, isBegun)
    },

    async remove(request: Request, password: string): Promise<void> {
      const account = await verifyPassword(request, password, ({ totpSecret }) => {
        if (totpSecret === null) throw createUnknownProblem()
      })
      const where = and(isSame(account), isNotNull(administrators.totpSecret))
      const values = { totpSecret: null, totpStep: null }
      await update(request, account, ['secondFactor'], values, where)
    },
  }

  /** What `check` throws counts as no failed login: the password was right. */
  function verifyPassword(request: Request, password: string, check: (account: Account) => void) {
    return verifyOwnPassword(services, attempts, request, password, async (account) => {
      check(account)
      return account
    })
  }
}

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
