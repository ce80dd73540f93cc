/** The accounts of the embedded identity provider, for administrators. */
import {
  type Administrator,
  type AdministratorSession,
  addAdministrator,
  changeRole,
  endAdministratorSessions,
  getAdministrator,
  listAdministratorSessions,
  listAdministrators,
  Problem,
  removeAdministrator,
  resetSecondFactor,
  setPassword,
} from '@cardwire/client/protocol'
import { and, count, desc, eq, gt } from 'drizzle-orm'
import type { Caller } from '../auth/authorize.ts'
import type { Account } from '../auth/identity/account-row.ts'
import { createAccounts } from '../auth/identity/accounts.ts'
import { browserSessionIdleMs } from '../auth/identity/browser-sessions.ts'
import { generatePassword } from '../auth/identity/generate-password.ts'
import { administrators, browserSessions, sessions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage, toTimestamps } from '../http/pagination.ts'
import type { Services } from '../services.ts'

/** How many sessions of each kind a response lists. */
const maxSessions = 100

export function bindAdministratorRoutes(bind: Bind, services: Services): void {
  const { db, clock, random } = services
  const accounts = createAccounts(services)
  const choosePassword = (given: string | undefined) => {
    const password = given ?? generatePassword(random)
    return { password, shown: given === undefined ? { generatedPassword: password } : {} }
  }
  const isOpen = {
    program: () => gt(sessions.expiresAt, clock()),
    browser: () =>
      and(
        gt(browserSessions.expiresAt, clock()),
        gt(browserSessions.lastUsedAt, clock() - browserSessionIdleMs),
      ),
  }

  /** How many open sessions each account has. */
  async function countSessions(): Promise<ReadonlyMap<string | null, number>> {
    const ofPrograms = await db
      .select({ name: sessions.administrator, count: count() })
      .from(sessions)
      .where(isOpen.program())
      .groupBy(sessions.administrator)
    const ofBrowsers = await db
      .select({ name: browserSessions.administrator, count: count() })
      .from(browserSessions)
      .where(isOpen.browser())
      .groupBy(browserSessions.administrator)
    const counts = new Map<string | null, number>()
    for (const { name, count } of [...ofPrograms, ...ofBrowsers])
      counts.set(name, (counts.get(name) ?? 0) + count)
    return counts
  }

  async function toAdministrators(rows: readonly Account[]): Promise<Administrator[]> {
    const counts = await countSessions()
    return rows.map(({ name, role, totpStep, createdAt, updatedAt }) => ({
      name,
      role,
      secondFactor: totpStep !== null,
      sessions: counts.get(name) ?? 0,
      ...toTimestamps({ createdAt, updatedAt }),
    }))
  }

  async function toAdministrator(row: Account): Promise<Administrator> {
    const [administrator] = await toAdministrators([row])
    if (!administrator) throw new Error(`Cannot show administrator "${row.name}"`)
    return administrator
  }

  bind(listAdministrators, async ({ query: { role, ...paging } }) => {
    const where = role && eq(administrators.role, role)
    const list = await selectPage(db, administrators, paging, where, [administrators.name])
    return { data: { ...list, items: await toAdministrators(list.items) } }
  })

  bind(addAdministrator, async ({ body: { name, role, password: given }, audit }, context) => {
    const { password, shown } = choosePassword(given)
    const row = await accounts.add(audit, name, role, password)
    context.header('cache-control', 'no-store')
    return { data: { ...(await toAdministrator(row)), ...shown } }
  })

  bind(getAdministrator, async ({ params: { name } }) => ({
    data: await toAdministrator(await accounts.find(name)),
  }))

  bind(changeRole, async ({ params: { name }, body: { role }, caller, audit }) => {
    refuseSelf(caller, name)
    return { data: await toAdministrator(await accounts.changeRole(audit, name, role)) }
  })

  bind(setPassword, async ({ params: { name }, body, caller, audit }, context) => {
    refuseSelf(caller, name)
    const { password, shown } = choosePassword(body.password)
    const row = await accounts.changePassword(audit, name, password)
    context.header('cache-control', 'no-store')
    return { data: { ...(await toAdministrator(row)), ...shown } }
  })

  bind(resetSecondFactor, async ({ params: { name }, caller, audit }) => {
    refuseSelf(caller, name)
    return { data: await toAdministrator(await accounts.resetSecondFactor(audit, name)) }
  })

  bind(removeAdministrator, async ({ params: { name }, caller, audit }) => {
    refuseSelf(caller, name)
    await accounts.remove(audit, name)
    return { data: { name } }
  })

  bind(listAdministratorSessions, async ({ params: { name } }) => {
    await accounts.find(name)
    const ofPrograms = await db
      .select()
      .from(sessions)
      .where(and(eq(sessions.administrator, name), isOpen.program()))
      .orderBy(desc(sessions.createdAt))
      .limit(maxSessions)
    const ofBrowsers = await db
      .select()
      .from(browserSessions)
      .where(and(eq(browserSessions.administrator, name), isOpen.browser()))
      .orderBy(desc(browserSessions.createdAt))
      .limit(maxSessions)
    const data = [...ofPrograms.map(toProgramSession), ...ofBrowsers.map(toBrowserSession)]
    return { data: data.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)) }
  })

  bind(endAdministratorSessions, async ({ params: { name }, query: { id }, audit }) => ({
    data: { ended: await accounts.endSessions(audit, name, id) },
  }))
}

/** Nobody takes a right from themselves by mistake; one's own password changes where the present one is asked for. */
function refuseSelf(caller: Caller, name: string): void {
  if (caller.kind !== 'administrator' || caller.identity.subject !== name) return
  throw new Problem(
    'administrator-self',
    `Cannot change "${name}" here: it is your own account, ask another administrator`,
  )
}

const toTime = (at: number) => new Date(at).toISOString()

const toProgramSession = (row: typeof sessions.$inferSelect): AdministratorSession => ({
  id: row.id,
  kind: 'program',
  createdAt: toTime(row.createdAt),
  expiresAt: toTime(row.expiresAt),
})

const toBrowserSession = (row: typeof browserSessions.$inferSelect): AdministratorSession => ({
  id: row.id,
  kind: 'browser',
  createdAt: toTime(row.createdAt),
  expiresAt: toTime(row.expiresAt),
  lastUsedAt: toTime(row.lastUsedAt),
  address: row.address,
  userAgent: row.userAgent,
})
