/** The users of an external provider who signed in lately, and their sessions. Accounts and roles are the provider's. */
import {
  type Administrator,
  endAdministratorSessions,
  getAdministrator,
  listAdministratorSessions,
  listAdministrators,
} from '@cardwire/protocol'
import { and, count, desc, eq, isNull } from 'drizzle-orm'
import { createUnknownProblem } from '../auth/identity/account-row.ts'
import { isBrowserSessionOf, isBrowserSessionValid } from '../auth/identity/browser-sessions.ts'
import { exists } from '../db/audit.ts'
import { browserSessions, signIns } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage, toTimestamps } from '../http/pagination.ts'
import type { Services } from '../services.ts'
import { maxSessions, toBrowserSession } from './administrator-sessions.ts'

type SignIn = typeof signIns.$inferSelect

export function bindExternalAdministratorRoutes(bind: Bind, services: Services): void {
  const { db, clock } = services
  const { browsers } = services.identity

  async function find(subject: string): Promise<SignIn> {
    const [row] = await db.select().from(signIns).where(eq(signIns.subject, subject))
    if (!row) throw createUnknownProblem(subject)
    return row
  }

  bind(listAdministrators, async ({ query: { role, ...paging } }) => {
    const where = role && eq(signIns.role, role)
    const order = [desc(signIns.updatedAt), signIns.subject]
    const list = await selectPage(db, signIns, paging, where, order)
    const sessions = await countSessions(services)
    return { data: { ...list, items: list.items.map((row) => describe(row, sessions)) } }
  })

  bind(getAdministrator, async ({ params: { name } }) => ({
    data: describe(await find(name), await countSessions(services)),
  }))

  bind(listAdministratorSessions, async ({ params: { name } }) => {
    await find(name)
    const rows = await db
      .select()
      .from(browserSessions)
      .where(and(isBrowserSessionOf({ subject: name }), isBrowserSessionValid(clock())))
      .orderBy(desc(browserSessions.createdAt))
      .limit(maxSessions)
    return { data: rows.map(toBrowserSession) }
  })

  bind(endAdministratorSessions, async ({ params: { name }, query: { id }, audit }) => {
    await find(name)
    const which = and(
      isBrowserSessionOf({ subject: name }),
      id === undefined ? undefined : eq(browserSessions.id, id),
    )
    const [, ended] = await db.batch([
      audit
        .createEntry('administrator', name, ['session'])
        .toStatement(exists(browserSessions, which)),
      db.delete(browserSessions).where(which).returning(),
    ])
    await browsers?.sessions.revoke(ended)
    return { data: { ended: ended.length } }
  })
}

async function countSessions({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ subject: browserSessions.subject, count: count() })
    .from(browserSessions)
    .where(and(isNull(browserSessions.administrator), isBrowserSessionValid(clock())))
    .groupBy(browserSessions.subject)
  return new Map(rows.map((row) => [row.subject, row.count]))
}

const describe = (row: SignIn, sessions: ReadonlyMap<string, number>): Administrator => ({
  name: row.subject,
  displayName: row.name,
  role: row.role,
  sessions: sessions.get(row.subject) ?? 0,
  ...toTimestamps(row),
})
