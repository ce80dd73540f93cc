/** The open sessions of administrators: how many, which, and their end. */
import {
  type AdministratorSession,
  endAdministratorSessions,
  listAdministratorSessions,
} from '@cardwire/protocol'
import { and, count, desc, eq } from 'drizzle-orm'
import { createAccounts } from '../auth/identity/accounts.ts'
import { isBrowserSessionValid } from '../auth/identity/browser-sessions.ts'
import { isProgramSessionValid } from '../auth/identity/session-validity.ts'
import { browserSessions, sessions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'

/** How many sessions of each kind a response lists. */
export const maxSessions = 100

export function bindAdministratorSessionRoutes(bind: Bind, services: Services): void {
  const { db, clock } = services
  const accounts = createAccounts(services)

  bind(listAdministratorSessions, async ({ params: { name } }) => {
    await accounts.find(name)
    const now = clock()
    const ofPrograms = await db
      .select()
      .from(sessions)
      .where(and(eq(sessions.administrator, name), isProgramSessionValid(now)))
      .orderBy(desc(sessions.createdAt))
      .limit(maxSessions)
    const ofBrowsers = await db
      .select()
      .from(browserSessions)
      .where(and(eq(browserSessions.administrator, name), isBrowserSessionValid(now)))
      .orderBy(desc(browserSessions.createdAt))
      .limit(maxSessions)
    const data = [...ofPrograms.map(toProgramSession), ...ofBrowsers.map(toBrowserSession)]
    return { data: data.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)) }
  })

  bind(endAdministratorSessions, async ({ params: { name }, query: { id }, audit }) => ({
    data: { ended: await accounts.endSessions(audit, name, id) },
  }))
}

/** How many open sessions each account has. */
export async function countSessions({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<ReadonlyMap<string | null, number>> {
  const now = clock()
  const ofPrograms = await db
    .select({ name: sessions.administrator, count: count() })
    .from(sessions)
    .where(isProgramSessionValid(now))
    .groupBy(sessions.administrator)
  const ofBrowsers = await db
    .select({ name: browserSessions.administrator, count: count() })
    .from(browserSessions)
    .where(isBrowserSessionValid(now))
    .groupBy(browserSessions.administrator)
  const counts = new Map<string | null, number>()
  for (const { name, count } of [...ofPrograms, ...ofBrowsers])
    counts.set(name, (counts.get(name) ?? 0) + count)
  return counts
}

const toTime = (at: number) => new Date(at).toISOString()

const toProgramSession = (row: typeof sessions.$inferSelect): AdministratorSession => ({
  id: row.id,
  kind: 'program',
  createdAt: toTime(row.createdAt),
  expiresAt: toTime(row.expiresAt),
})

export const toBrowserSession = (
  row: typeof browserSessions.$inferSelect,
): AdministratorSession => ({
  id: row.id,
  kind: 'browser',
  createdAt: toTime(row.createdAt),
  expiresAt: toTime(row.expiresAt),
  lastUsedAt: toTime(row.lastUsedAt),
  address: row.address,
  userAgent: row.userAgent,
})
