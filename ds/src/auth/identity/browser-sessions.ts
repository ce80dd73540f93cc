/** The logins of administrators in browsers: a cookie with a random value, and a row with its hash, which decides. */
import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { deleteBeyond } from '../../db/delete-beyond.ts'
import { browserSessions } from '../../db/schema.ts'
import type { Clock, Digest, Random } from '../../ports.ts'
import { bytesToBase64url } from '../../rules/encoding.ts'
import { isPast } from './session-validity.ts'

/** However long it is used, in milliseconds. */
export const browserSessionLifetimeMs = 10 * 3_600_000

/** How long it may be unused, in milliseconds. */
const browserSessionIdleMs = 30 * 60_000

/** How many an identity has at once. */
const maxBrowserSessions = 1000

/** How often its last use is written, in milliseconds. */
const useIntervalMs = 60_000

/** Whose a session is; `isLocal`: of an account of the embedded provider. */
interface SessionOwner {
  readonly subject: string
  readonly isLocal?: true
}

export type BrowserSession = typeof browserSessions.$inferSelect

/** Who logs in, and from where. */
export interface BrowserLogin {
  /** The account of the embedded provider; absent for one of an external provider. */
  readonly administrator?: string
  readonly subject: string
  readonly name: string
  readonly address: string
  readonly userAgent: string
}

interface BrowserSessionServices {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly digest: Digest
}

/** Whether a row is a session that has not ended; `now`: milliseconds since 1970. */
export const isBrowserSessionValid = (now: number): SQL | undefined =>
  and(
    gt(browserSessions.expiresAt, now),
    gt(browserSessions.lastUsedAt, now - browserSessionIdleMs),
    isPast(browserSessions.lastUsedAt, now),
  )

/** Whether a row is a session of this identity: a user of an external provider can have the name of an account. */
export const isBrowserSessionOf = ({ subject, isLocal }: SessionOwner): SQL =>
  and(
    eq(browserSessions.subject, subject),
    isLocal ? eq(browserSessions.administrator, subject) : isNull(browserSessions.administrator),
  ) as SQL

export type BrowserSessions = ReturnType<typeof createBrowserSessions>

export function createBrowserSessions({ db, clock, random, digest }: BrowserSessionServices) {
  return {
    table: browserSessions,

    /** The row of a new session, and what its cookie holds: never the value of an earlier one. */
    async prepare(login: BrowserLogin) {
      const cookie = bytesToBase64url(random.bytes(32))
      const now = clock()
      const row = {
        ...login,
        userAgent: login.userAgent.slice(0, 200),
        id: random.uuid(),
        hash: await digest(cookie),
        createdAt: now,
        lastUsedAt: now,
        expiresAt: now + browserSessionLifetimeMs,
      }
      return { cookie, row }
    },

    /** The session of a cookie. Undefined when it has ended, was unused for too long, or never was. */
    async find(cookie: string): Promise<BrowserSession | undefined> {
      const now = clock()
      const mine = and(eq(browserSessions.hash, await digest(cookie)), isBrowserSessionValid(now))
      const [session] = await db.select().from(browserSessions).where(mine)
      if (!session || Math.abs(now - session.lastUsedAt) < useIntervalMs) return session
      const [used] = await db
        .update(browserSessions)
        .set({ lastUsedAt: now })
        .where(mine)
        .returning()
      return used
    },

    /** Notes every minute that a session is used, by a request that takes long; returns what ends that. */
    keepUsed(id: string): () => void {
      const note = async () => {
        const now = clock()
        const mine = and(eq(browserSessions.id, id), isBrowserSessionValid(now))
        await db.update(browserSessions).set({ lastUsedAt: now }).where(mine)
      }
      // One that is not noted is made up for by the next.
      const timer = setInterval(() => void note().catch(() => undefined), useIntervalMs)
      return () => clearInterval(timer)
    },

    async end({ id }: Pick<BrowserSession, 'id'>): Promise<void> {
      await db.delete(browserSessions).where(eq(browserSessions.id, id))
    },

    /** The statement that forgets the sessions that are over. */
    deleteExpired: () =>
      db.delete(browserSessions).where(sql`not (${isBrowserSessionValid(clock())})`),

    /** The statement that ends the oldest sessions of an identity that has too many. */
    deleteBeyond: (identity: SessionOwner) =>
      deleteBeyond(db, browserSessions, browserSessions.createdAt, {
        keep: maxBrowserSessions,
        where: isBrowserSessionOf(identity),
      }),
  }
}
