/** The role that a session of the embedded provider has now. */
import type { Role } from '@cardwire/client/protocol'
import { and, eq, or } from 'drizzle-orm'
import { exists } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { administrators, browserSessions, sessions } from '../../db/schema.ts'
import { isBrowserSessionValid } from './browser-sessions.ts'
import { isProgramSessionValid } from './session-validity.ts'

/** The role of the account `name`; undefined when it has no such session of a program or a browser that has not ended. */
export async function findSessionRole(
  db: Database,
  name: string,
  id: string,
  now: number,
): Promise<Role | undefined> {
  const isTheirs = or(
    exists(
      sessions,
      and(eq(sessions.id, id), eq(sessions.administrator, name), isProgramSessionValid(now)),
    ),
    exists(
      browserSessions,
      and(
        eq(browserSessions.id, id),
        eq(browserSessions.administrator, name),
        isBrowserSessionValid(now),
      ),
    ),
  )
  const [account] = await db
    .select({ role: administrators.role })
    .from(administrators)
    .where(and(eq(administrators.name, name), isTheirs))
  return account?.role
}
