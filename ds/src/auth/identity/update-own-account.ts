/** Stores what administrators change about their own account. */
import { Problem } from '@cardwire/protocol'
import { and, eq, ne, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { exists, type OperationAudit } from '../../db/audit.ts'
import type { Database } from '../../db/database.ts'
import { administrators, browserSessions, sessions } from '../../db/schema.ts'
import type { Account, AccountServices } from './account-row.ts'
import { prepareOwnChange } from './daily-limit.ts'
import type { LoginAttempts } from './login-attempts.ts'
import type { Identity, LoginSource } from './provider.ts'

/** Who asks for a change, and its entry in the audit. */
export interface Request {
  readonly identity: Identity
  readonly from: LoginSource
  readonly audit: OperationAudit
}

/** What else changes, when the account does. */
interface MoreStatements {
  readonly toMore?: (when: SQL) => readonly BatchItem<'sqlite'>[]
  readonly toEndings?: (when: SQL) => readonly ReturnType<typeof endOthers>[]
}

export function createOwnAccountUpdate(
  { db, clock }: Pick<AccountServices, 'db' | 'clock'>,
  attempts: LoginAttempts,
) {
  return { update, change }

  /** Updates the account, and forgets its failed attempts. Throws `changed-meanwhile`, or `too-many-requests`. */
  async function update(
    { audit, from }: Request,
    { name }: Account,
    fields: readonly string[],
    values: Partial<Account>,
    where: SQL | undefined,
    { toMore = () => [], toEndings = () => [] }: MoreStatements = {},
  ): Promise<number> {
    const isIt = and(eq(administrators.name, name), where)
    const isThere = exists(administrators, isIt)
    return attempts.complete(name, from.address, async (forget) => {
      const countChange = await prepareOwnChange({ db, clock }, name)
      const endings = toEndings(isThere)
      const results = await db.batch([
        audit.createEntry('administrator', name, fields).toStatement(isThere),
        countChange(),
        forget,
        // What depends on the row as it was comes before it changes.
        ...toMore(isThere),
        ...endings,
        db
          .update(administrators)
          .set({ ...values, updatedAt: clock() })
          .where(isIt)
          .returning({ id: administrators.name }),
      ])
      const [changed = [], ...ended] = results.slice(-1 - endings.length).reverse() as unknown[][]
      if (changed.length === 0) {
        const message = 'Cannot change the account: it was changed at the same time, try again'
        throw new Problem('changed-meanwhile', message)
      }
      return ended.reduce((sum, rows) => sum + rows.length, 0)
    })
  }

  /** The same, and ends the other sessions, which began without what is asked for now. */
  function change(
    request: Request,
    account: Account,
    fields: readonly string[],
    values: Partial<Account>,
    where: SQL | undefined,
    more: Pick<MoreStatements, 'toMore'> = {},
  ): Promise<number> {
    const { subject, session } = request.identity
    const toEndings = (when: SQL) => [
      endOthers(db, sessions, when, subject, session),
      endOthers(db, browserSessions, when, subject, session),
    ]
    return update(request, account, fields, values, where, { ...more, toEndings })
  }
}

/** The statement that ends the sessions of an account in a table, but for one, when a condition holds. */
function endOthers(
  db: Database,
  table: typeof sessions | typeof browserSessions,
  when: SQL,
  name: string,
  session: string | undefined,
) {
  const isOther = session === undefined ? undefined : ne(table.id, session)
  return db
    .delete(table)
    .where(and(eq(table.administrator, name), isOther, when))
    .returning({ id: table.id })
}
