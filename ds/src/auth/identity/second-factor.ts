/** The second factor of an account: a secret that an authenticator app shares, and codes that work once. */
import { and, eq, gt, isNotNull, isNull, lt, or, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { administrators } from '../../db/schema.ts'
import type { Clock, Random } from '../../ports.ts'
import { sealed } from '../keys/sealed.ts'
import type { Vault } from '../keys/vault.ts'
import {
  createTotpUri,
  findTotpStep,
  getTotpStep,
  totpSecretLength,
  totpWindow,
  writeTotpSecret,
} from './totp.ts'

type Account = typeof administrators.$inferSelect

/** What a row of an account without a second factor has: none, or one that no code has confirmed. */
export const lacksSecondFactor: SQL = isNull(administrators.totpStep)

export const hasSecondFactor = ({ totpSecret, totpStep }: Account): boolean =>
  totpSecret !== null && totpStep !== null

export interface SecondFactorServices {
  readonly url: string
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
}

export function createSecondFactor({ url, db, clock, random, vault }: SecondFactorServices) {
  const { toRow } = sealed.secondFactor
  /** A step further off was stored while the clock was ahead. */
  const getLatestStep = () => getTotpStep(clock()) + 2 * totpWindow
  const findStep = async ({ name, totpSecret }: Account, code: string) =>
    totpSecret === null
      ? undefined
      : findTotpStep(await vault.unwrap(totpSecret, toRow(name)), code, clock())

  return {
    /** A new secret: for the app, and wrapped for the row of the account. */
    async create(name: string) {
      const secret = writeTotpSecret(random.bytes(totpSecretLength))
      const uri = createTotpUri(secret, name, `Cardwire ${new URL(url).hostname}`)
      return { secret, uri, wrapped: await vault.wrap(secret, toRow(name)) }
    },

    /** The time step of the first code of a secret; undefined when the code is wrong. */
    findStep,

    /** The same; undefined also for a code that was used. */
    async findUnusedStep(account: Account, code: string): Promise<number | undefined> {
      const step = await findStep(account, code)
      const { totpStep } = account
      if (step === undefined || totpStep === null) return undefined
      return totpStep < step || totpStep > getLatestStep() ? step : undefined
    },

    /** Accepts a code once, over all nodes; false when it is wrong, too old, or was used. */
    async accept(account: Account, code: string): Promise<boolean> {
      const step = await findStep(account, code)
      if (step === undefined || account.totpSecret === null) return false
      const isAhead = gt(administrators.totpStep, getLatestStep())
      const [accepted] = await db
        .update(administrators)
        .set({ totpStep: step })
        .where(
          and(
            eq(administrators.name, account.name),
            eq(administrators.totpSecret, account.totpSecret),
            isNotNull(administrators.totpStep),
            or(lt(administrators.totpStep, step), isAhead),
          ),
        )
        .returning()
      return accepted !== undefined
    },
  }
}
