/** The sessions of browsers whose tokens are those of an external provider. */
import { Problem, type Role } from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import { type AuditSource, createAudit } from '../../db/audit.ts'
import { deleteBeyond } from '../../db/delete-beyond.ts'
import { browserSessions, signIns } from '../../db/schema.ts'
import type { AuthorizationCodeFlow } from './authorization-code.ts'
import type { BrowserSession } from './browser-sessions.ts'
import { createLoginLimit } from './daily-limit.ts'
import type { ExternalTokens } from './openid-client.ts'
import { createSealedTokens, type ExternalSessionServices, leaseMs } from './sealed-tokens.ts'

/** How long before its end an access token is renewed, in milliseconds: others go on with it meanwhile. */
const renewBeforeMs = 30_000

/** How often a request looks whether another has renewed the tokens, in milliseconds. */
const lookIntervalMs = 200

/** How many users are listed. */
const maxSignIns = 1000
const maxNameLength = 200

/** How many sessions of one user end at the provider, too, when an administrator ends them. */
const maxRevoked = 10

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
  const { db, clock } = services
  const sealed = createSealedTokens(services, login)
  const limitLogins = createLoginLimit(services)

  return {
    /** Starts the session of an identity; resolves with what its cookie holds. Throws `too-many-requests` when it has too many today. */
    async begin(
      { subject, issuer, name, role }: AuditSource['identity'] & { readonly role: Role },
      tokens: ExternalTokens,
      { address, requestId, userAgent }: Browser,
    ): Promise<string> {
      // Another account may have the same name here.
      await limitLogins(`${issuer} ${subject}`)
      const { cookie, row } = await services.browserSessions.prepare({
        subject,
        name,
        address,
        userAgent,
      })
      const identity = { subject, issuer, name }
      const now = clock()
      const signIn = { name: name.slice(0, maxNameLength), role, updatedAt: now }
      const audit = createAudit(services, 'logInBrowser', { identity, address, requestId })
      await db.batch([
        audit.createEntry('administrator', subject, ['session']).toStatement(),
        db.insert(browserSessions).values({ ...row, tokens: await sealed.seal(row, tokens) }),
        db
          .insert(signIns)
          .values({ subject, createdAt: now, ...signIn })
          .onConflictDoUpdate({ target: signIns.subject, set: signIn }),
        deleteBeyond(db, signIns, signIns.updatedAt, { keep: maxSignIns }),
        services.browserSessions.deleteExpired(),
        services.browserSessions.deleteBeyond({ subject }),
      ])
      return cookie
    },

    /** An access token of the provider, renewed when it ends soon. undefined: the session is over. */
    async findAccessToken(session: BrowserSession): Promise<string | undefined> {
      const mine = eq(browserSessions.id, session.id)
      const deadline = clock() + leaseMs
      let row: BrowserSession | undefined = session
      while (row) {
        const tokens = await sealed.unseal(row)
        if (!tokens) return undefined
        const now = clock()
        if (tokens.expiresAt - renewBeforeMs > now) return tokens.access
        const leased = await sealed.takeLease(row)
        if (leased) return sealed.renew(leased)
        if (tokens.expiresAt > now) return tokens.access
        if (now > deadline) throw createBusyProblem()
        await new Promise((resolve) => setTimeout(resolve, lookIntervalMs))
        ;[row] = await db.select().from(browserSessions).where(mine)
      }
      return undefined
    },

    /** Whether the provider can be asked for another access token of a session. */
    async canRenew(session: BrowserSession): Promise<boolean> {
      return (await sealed.unseal(session))?.refresh !== undefined
    },

    /** An access token that the provider gives now. Throws `grant-refused` when it gives none. undefined: the session is over. */
    async renewAccessToken(session: BrowserSession): Promise<string | undefined> {
      const mine = eq(browserSessions.id, session.id)
      const deadline = clock() + leaseMs
      let row: BrowserSession | undefined = session
      while (row) {
        if (row.tokens !== session.tokens) return (await sealed.unseal(row))?.access
        const leased = await sealed.takeLease(row)
        if (leased) return sealed.renew(leased, true)
        if (clock() > deadline) throw createBusyProblem()
        await new Promise((resolve) => setTimeout(resolve, lookIntervalMs))
        ;[row] = await db.select().from(browserSessions).where(mine)
      }
      return undefined
    },

    /** Revokes the tokens of sessions that have ended here: of the first ones, since no one else has them. */
    async revoke(ended: readonly BrowserSession[]): Promise<void> {
      await Promise.all(
        ended.slice(0, maxRevoked).map(async (session) => {
          const tokens = await sealed.unseal(session)
          if (tokens) await login.revoke(tokens)
        }),
      )
    },

    /** Ends a session here, and its tokens at the provider. */
    async end(session: BrowserSession): Promise<void> {
      await services.browserSessions.end(session)
      const tokens = await sealed.unseal(session)
      if (tokens) await login.revoke(tokens)
    },
  }
}

const createBusyProblem = () =>
  new Problem('service-busy', 'Cannot act for this session: its tokens are being renewed', {
    retryAfterS: 1,
  })
