/** What a session of the embedded provider may do now. */
import type { FirstStep, Role } from '@cardwire/protocol'
import { and, eq, or } from 'drizzle-orm'
import { exists } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { administrators, browserSessions, sessions } from '../../db/schema.ts'
import type { Settings } from '../../settings.ts'
import { isBrowserSessionValid } from './browser-sessions.ts'
import { hasSecondFactor } from './second-factor.ts'
import { isProgramSessionValid } from './session-validity.ts'

export interface AccessServices {
  readonly db: Database
  readonly settings: Pick<Settings, 'secondFactorRequired'>
}

export interface SessionAccess {
  readonly role: Role
  /** What its account has to do before anything else. */
  readonly firstStep: FirstStep | undefined
}

/** The access of the account `name`; undefined when it has no such session of a program or a browser that has not ended. */
export async function findSessionAccess(
  { db, settings }: AccessServices,
  name: string,
  id: string,
  now: number,
): Promise<SessionAccess | undefined> {
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
    .select()
    .from(administrators)
    .where(and(eq(administrators.name, name), isTheirs))
  return account && { role: account.role, firstStep: findFirstStep(account, settings) }
}

/** A password that someone else set is changed before it confirms a second factor. */
export function findFirstStep(
  account: typeof administrators.$inferSelect,
  { secondFactorRequired }: AccessServices['settings'],
): FirstStep | undefined {
  if (account.passwordDue) return 'password-change-required'
  return secondFactorRequired && !hasSecondFactor(account)
    ? 'second-factor-setup-required'
    : undefined
}
