/** The sessions of the caller: those of browsers, and those that programs log in with. */
import type { OwnSession } from '@cardwire/protocol'
import { and, desc, eq, ne, or, type SQL } from 'drizzle-orm'
import { exists, type OperationAudit } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { browserSessions, sessions } from '../../db/schema.ts'
import type { Clock } from '../../ports.ts'
import { isBrowserSessionOf, isBrowserSessionValid } from './browser-sessions.ts'
import type { Identity } from './provider.ts'
import { isProgramSessionValid } from './session-validity.ts'

/** How many of each kind are listed. */
const maxListed = 100

/** The users of an external provider have only sessions of browsers. */
export function createOwnSessions({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  const ofPrograms = ({ subject, isLocal }: Identity) =>
    isLocal ? eq(sessions.administrator, subject) : undefined

  /** Ends what matches, with one entry in the audit; resolves with how many that were. */
  async function end(
    identity: Identity,
    audit: OperationAudit,
    match: (id: typeof sessions.id | typeof browserSessions.id) => SQL | undefined,
  ): Promise<number> {
    const programs = identity.isLocal
      ? and(ofPrograms(identity), match(sessions.id))
      : and(eq(sessions.id, ''), eq(sessions.administrator, ''))
    const browsers = and(isBrowserSessionOf(identity), match(browserSessions.id))
    const [, ofFirst, ofSecond] = await db.batch([
      audit
        .createEntry('administrator', identity.subject, ['session'])
        .toStatement(or(exists(sessions, programs), exists(browserSessions, browsers))),
      db.delete(sessions).where(programs).returning({ id: sessions.id }),
      db.delete(browserSessions).where(browsers).returning({ id: browserSessions.id }),
    ])
    return ofFirst.length + ofSecond.length
  }

  return {
    async list(identity: Identity): Promise<readonly OwnSession[]> {
      const now = clock()
      const browsers = await db
        .select()
        .from(browserSessions)
        .where(and(isBrowserSessionOf(identity), isBrowserSessionValid(now)))
        .orderBy(desc(browserSessions.createdAt))
        .limit(maxListed)
      const programs = identity.isLocal
        ? await db
            .select()
            .from(sessions)
            .where(and(ofPrograms(identity), isProgramSessionValid(now)))
            .orderBy(desc(sessions.createdAt))
            .limit(maxListed)
        : []
      return toSessions(browsers, programs, identity.session)
    },
    end: (identity: Identity, audit: OperationAudit, id: string) =>
      end(identity, audit, (column) => eq(column, id)),
    endOthers: (identity: Identity, audit: OperationAudit) =>
      end(identity, audit, (column) => ne(column, identity.session ?? '')),
  }
}

/** Both kinds, newest first; `current`: the id of the session that asks. */
const toSessions = (
  browsers: readonly (typeof browserSessions.$inferSelect)[],
  programs: readonly (typeof sessions.$inferSelect)[],
  current: string | undefined,
): readonly OwnSession[] =>
  [
    ...browsers.map((row) => ({
      ...toSession(row, 'browser', row.id === current),
      lastUsedAt: toIso(row.lastUsedAt),
      address: row.address,
      userAgent: row.userAgent,
    })),
    ...programs.map((row) => toSession(row, 'program', row.id === current)),
  ].toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))

const toIso = (time: number) => new Date(time).toISOString()

const toSession = (
  row: { readonly id: string; readonly createdAt: number; readonly expiresAt: number },
  kind: OwnSession['kind'],
  current: boolean,
) => ({
  id: row.id,
  kind,
  current,
  createdAt: toIso(row.createdAt),
  expiresAt: toIso(row.expiresAt),
})
