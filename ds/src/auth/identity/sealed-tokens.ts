/** The tokens of an external provider: sealed in the row of their session, renewed by one request at a time. */
import { Problem } from '@cardwire/protocol'
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { browserSessions } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import { sealed } from '../keys/sealed.ts'
import type { Vault } from '../keys/vault.ts'
import type { AuthorizationCodeFlow } from './authorization-code.ts'
import type { BrowserSession, BrowserSessions } from './browser-sessions.ts'
import { ExternalTokens } from './openid-client.ts'

/** How long only one request may renew the tokens of a session, in milliseconds: longer than the provider may take. */
export const leaseMs = 15_000

export interface ExternalSessionServices {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly browserSessions: BrowserSessions
}

export function createSealedTokens(
  services: ExternalSessionServices,
  login: Pick<AuthorizationCodeFlow, 'renew'>,
) {
  const { db, clock, vault } = services
  const { toRow } = sealed.externalTokens
  const unseal = async ({ id, tokens }: BrowserSession) =>
    tokens === null
      ? undefined
      : ExternalTokens.parse(JSON.parse(await vault.unwrap(tokens, toRow(id))))
  const seal = ({ id }: { readonly id: string }, tokens: ExternalTokens) =>
    vault.wrap(JSON.stringify(tokens), toRow(id))

  return { seal, unseal, takeLease, renew }

  /** The session when no other request renews its tokens, or has since they were read. */
  async function takeLease({ id, tokens }: BrowserSession): Promise<BrowserSession | undefined> {
    const now = clock()
    const { renewsUntil } = browserSessions
    // One that lasts longer is of a request that ended while the clock was ahead.
    const isFree = or(isNull(renewsUntil), lt(renewsUntil, now), gt(renewsUntil, now + 2 * leaseMs))
    const [leased] = await db
      .update(browserSessions)
      .set({ renewsUntil: now + leaseMs })
      .where(and(eq(browserSessions.id, id), eq(browserSessions.tokens, tokens ?? ''), isFree))
      .returning()
    return leased
  }

  /** `isNeeded`: the old access token does not do, even where it is still valid. */
  async function renew(session: BrowserSession, isNeeded = false): Promise<string | undefined> {
    const mine = eq(browserSessions.id, session.id)
    const tokens = await unseal(session)
    if (!tokens) return undefined
    try {
      const renewed = await login.renew(tokens)
      await db
        .update(browserSessions)
        .set({ tokens: await seal(session, renewed), renewsUntil: null })
        .where(mine)
      return renewed.access
    } catch (error) {
      if (
        tokens.expiresAt <= clock() &&
        error instanceof Problem &&
        error.name === 'grant-refused'
      ) {
        await services.browserSessions.end(session)
        return undefined
      }
      await db.update(browserSessions).set({ renewsUntil: null }).where(mine)
      if (!isNeeded && tokens.expiresAt > clock()) return tokens.access
      throw error
    }
  }
}
