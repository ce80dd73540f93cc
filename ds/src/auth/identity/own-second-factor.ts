/** What administrators of the embedded provider change about their own second factor. */
import { Problem } from '@cardwire/protocol'
import { and, eq, isNotNull, type SQL } from 'drizzle-orm'
import { administrators } from '../../db/schema.ts'
import type { Account, AccountServices } from './account-row.ts'
import type { LoginAttempts } from './login-attempts.ts'
import { isSame, readOwnAccount, verifyOwnPassword } from './own-password.ts'
import type { Identity } from './provider.ts'
import {
  createRecoveryCodeStore,
  deleteRecoveryCodes,
  type RecoveryCodeServices,
} from './recovery-codes.ts'
import {
  createSecondFactor,
  hasSecondFactor,
  lacksSecondFactor,
  type SecondFactorServices,
} from './second-factor.ts'
import { type AccessServices, findFirstStep } from './session-access.ts'
import { createOwnAccountUpdate, type Request } from './update-own-account.ts'

export function createOwnSecondFactor(
  services: SecondFactorServices & RecoveryCodeServices & AccountServices & AccessServices,
  attempts: LoginAttempts,
) {
  const { db } = services
  const secondFactor = createSecondFactor(services)
  const recovery = createRecoveryCodeStore(services)
  const { update, change } = createOwnAccountUpdate(services, attempts)

  return {
    async describe({ subject }: Identity) {
      const account = await readOwnAccount(db, subject)
      const isActive = hasSecondFactor(account)
      const firstStep = findFirstStep(account, services.settings)
      return {
        ...(firstStep && { firstStep }),
        secondFactor: isActive,
        ...(isActive && { recoveryCodes: await recovery.describe(subject) }),
      }
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

    /** Resolves with how many sessions were ended, and recovery codes. */
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
        return refuseCode(request)
      }
      const isBegun = and(lacksSecondFactor, eq(administrators.totpSecret, totpSecret))
      const { codes, toStatements } = await recovery.prepare(account.name)
      const more = { toMore: toStatements }
      const ended = await change(request, account, ['secondFactor'], { totpStep }, isBegun, more)
      return { ended, recoveryCodes: codes }
    },

    /** Replaces the recovery codes; asks for password and code. */
    async renewCodes(request: Request, password: string, code: string) {
      const { account, totpStep } = await verifyOwnPassword(
        services,
        attempts,
        request,
        password,
        async (account) => {
          if (!hasSecondFactor(account)) throw createUnknownProblem()
          return { account, totpStep: await secondFactor.findUnusedStep(account, code) }
        },
      )
      if (totpStep === undefined) return refuseCode(request)
      const { codes, toStatements } = await recovery.prepare(account.name)
      const isUnused = eq(administrators.totpStep, account.totpStep ?? 0)
      const where = and(isSame(account), isUnused)
      const more = { toMore: toStatements }
      await update(request, account, ['recoveryCodes'], { totpStep }, where, more)
      return { recoveryCodes: codes }
    },

    async remove(request: Request, password: string): Promise<void> {
      const account = await verifyPassword(request, password, ({ totpSecret }) => {
        if (totpSecret === null) throw createUnknownProblem()
      })
      const where = and(isSame(account), isNotNull(administrators.totpSecret))
      const values = { totpSecret: null, totpStep: null }
      const toMore = (when: SQL) => [deleteRecoveryCodes(db, account.name, when)]
      await update(request, account, ['secondFactor'], values, where, { toMore })
    },
  }

  function refuseCode({ identity, from }: Request): Promise<never> {
    const message = 'Cannot accept the code: it is wrong or no longer valid'
    return attempts.refuse(
      { from, identity, typedName: identity.subject, isKnown: true, field: 'secondFactor' },
      new Problem('code-refused', message),
    )
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
    'Cannot set up two-factor authentication: it is already on, turn it off first',
  )

const createUnknownProblem = () =>
  new Problem(
    'second-factor-unknown',
    'Cannot change two-factor authentication: it is off, set it up first',
  )
