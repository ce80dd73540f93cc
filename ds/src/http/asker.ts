/** Whether who asked for a change that takes two administrators may still do so when it is approved. */
import { includesRole, Problem, type Role } from '@cardwire/protocol'
import { and, desc, eq, gt } from 'drizzle-orm'
import { errors } from 'jose'
import { isBrowserSessionOf, isBrowserSessionValid } from '../auth/identity/browser-sessions.ts'
import type { Identity } from '../auth/identity/provider.ts'
import {
  administrators,
  apiClients,
  type approvals,
  browserSessions,
  signIns,
} from '../db/schema.ts'
import type { Services } from '../services.ts'
import { createPersons, isSameActor } from './one-person.ts'

type Row = typeof approvals.$inferSelect

/** With so many open sessions of a user the provider is asked. */
const maxAsked = 3

export function createAskerCheck(
  services: Pick<Services, 'db' | 'clock' | 'settings' | 'url' | 'identity'>,
): (row: Row, access: Role) => Promise<boolean> {
  const { db, clock, settings, identity } = services
  const persons = createPersons(services)

  return async (row, access) => {
    if (persons.isClient(row)) return includesRole(await readClientRole(row), access)
    if (row.isLocal) return includesRole(await readAccountRole(row), access)
    return settings.identity.kind === 'external' && mayAskAsUser(row, access)
  }

  async function readClientRole(row: Row): Promise<Role | undefined> {
    const [client] = await db.select().from(apiClients).where(eq(apiClients.id, row.subject))
    const isOver = client?.expiresAt != null && client.expiresAt <= clock()
    // A credential may have been revoked because someone else had it.
    if (isOver || (await persons.isChangedSince(row, row.sequence))) return undefined
    return client?.role
  }

  async function readAccountRole({ subject }: Row): Promise<Role | undefined> {
    // With an external provider only this one signs in.
    if (settings.identity.kind === 'external' && subject !== identity.breakGlass?.name)
      return undefined
    const [account] = await db.select().from(administrators).where(eq(administrators.name, subject))
    return account?.role
  }

  /** As the provider says now; where it cannot be asked about a user, as it said at a sign-in since. */
  async function mayAskAsUser(row: Row, access: Role): Promise<boolean> {
    const asked = await askProvider(row)
    if (asked !== undefined) return asked.some(({ role }) => includesRole(role, access))
    const isLater = and(eq(signIns.subject, row.subject), gt(signIns.updatedAt, row.createdAt))
    const [later] = await db.select().from(signIns).where(isLater)
    return later === undefined || includesRole(later.role, access)
  }

  /** What the provider says with the open sessions of a user; undefined when none of them can ask. */
  async function askProvider(row: Row): Promise<readonly Identity[] | undefined> {
    const { sessions } = identity.browsers ?? {}
    if (!sessions) return undefined
    const open = await db
      .select()
      .from(browserSessions)
      .where(and(isBrowserSessionOf({ subject: row.subject }), isBrowserSessionValid(clock())))
      .orderBy(desc(browserSessions.lastUsedAt))
      .limit(maxAsked)
    const found: Identity[] = []
    let isAsked = false
    for (const session of open) {
      if (!(await sessions.canRenew(session))) continue
      isAsked = true
      try {
        const token = await sessions.renewAccessToken(session)
        const said = token === undefined ? undefined : await identity.identify(token)
        if (said && isSameActor(said, row)) found.push(said)
        if (said) break
      } catch (error) {
        // Only this session may be over.
        const isRefused = error instanceof Problem && error.name === 'grant-refused'
        if (!isRefused && !(error instanceof errors.JOSEError)) throw error
      }
    }
    return isAsked ? found : undefined
  }
}
