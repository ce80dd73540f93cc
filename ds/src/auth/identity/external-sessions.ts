/** The sessions of browsers whose tokens are those of an external provider: sealed in the row, renewed by one request at a time. */
import { Problem } from '@cardwire/client/protocol'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { type AuditSource, createAudit } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { browserSessions } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import type { Vault } from '../keys/vault.ts'
import type { AuthorizationCodeFlow } from './authorization-code.ts'
import type { BrowserSession, BrowserSessions } from './browser-sessions.ts'
import { ExternalTokens } from './openid-client.ts'

/** How long before its end an access token is renewed, in milliseconds: others go on with it meanwhile. */
const renewBeforeMs = 30_000

/** How long only one request may renew the tokens of a session, in milliseconds: longer than the provider may take. */
const leaseMs = 15_000

/** How often a request looks whether another has renewed them, in milliseconds. */
const lookIntervalMs = 200

interface ExternalSessionServices {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly browserSessions: BrowserSessions
}

/** Where a login comes from. */
interface Browser {
  readonly address: string
  readonly requestId: string
  readonly userAgent: string
}

export type ExternalSessions = ReturnType<typeof createExternalSessions>

export function createExternalSessions(
  services: ExternalSessionServices,
  login: AuthorizationCodeFlow,
) {
  const { db, clock, vault } = services
  const unseal = async ({ id, tokens }: BrowserSession) =>
    tokens === null ? undefined : ExternalTokens.parse(JSON.parse(await vault.unwrap(tokens, id)))
  const seal = ({ id }: { readonly id: string }, tokens: ExternalTokens) =>
    vault.wrap(JSON.stringify(tokens), id)

  return {
    /** Starts the session of an identity; resolves with what its cookie holds. */
    async begin(
      { subject, issuer, name }: AuditSource['identity'],
      tokens: ExternalTokens,
      { address, requestId, userAgent }: Browser,
    ): Promise<string> {
      const { cookie, row } = await services.browserSessions.prepare({
        subject,
        name,
        address,
        userAgent,
      })
      const identity = { subject, issuer, name }
      const audit = createAudit(services, 'logInBrowser', { identity, address, requestId })
      await db.batch([
        audit.createEntry('administrator', subject, ['session']).toStatement(),
        db.insert(browserSessions).values({ ...row, tokens: await seal(row, tokens) }),
        services.browserSessions.deleteExpired(),
      ])
      return cookie
    },

    /** An access token of the provider, renewed when it ends soon. undefined: the session is over. */
    async findAccessToken(session: BrowserSession): Promise<string | undefined> {
      const mine = eq(browserSessions.id, session.id)
      const deadline = clock() + leaseMs
      let row: BrowserSession | undefined = session
      while (row) {
        const tokens = await unseal(row)
        if (!tokens) return undefined
        const now = clock()
        if (tokens.expiresAt - renewBeforeMs > now) return tokens.access
        const leased = await takeLease(row)
        if (leased) return renew(leased)
        if (tokens.expiresAt > now) return tokens.access
        if (now > deadline) throw createBusyProblem()
        await new Promise((resolve) => setTimeout(resolve, lookIntervalMs))
        ;[row] = await db.select().from(browserSessions).where(mine)
      }
      return undefined
    },

    /** Ends a session here, and its tokens at the provider. */
    async end(session: BrowserSession): Promise<void> {
      await services.browserSessions.end(session)
      const tokens = await unseal(session)
      if (tokens) await login.revoke(tokens)
    },
  }

  /** The session when no other request renews its tokens, or has since they were read. */
  async function takeLease({ id, tokens }: BrowserSession): Promise<BrowserSession | undefined> {
    const now = clock()
    const isFree = or(isNull(browserSessions.renewsUntil), lt(browserSessions.renewsUntil, now))
    const [leased] = await db
      .update(browserSessions)
      .set({ renewsUntil: now + leaseMs })
      .where(and(eq(browserSessions.id, id), eq(browserSessions.tokens, tokens ?? ''), isFree))
      .returning()
    return leased
  }

  async function renew(session: BrowserSession): Promise<string | undefined> {
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
      if (tokens.expiresAt > clock()) return tokens.access
      throw error
    }
  }
}

const createBusyProblem = () =>
  new Problem('service-busy', 'Cannot act for this session: its tokens are being renewed', {
    retryAfterS: 1,
  })
