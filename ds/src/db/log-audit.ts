/** Writes each entry of the audit to the log, too, once the database has stored it. */
import type { Log } from '../ports.ts'
import type { Driver, Row, Statement } from './database.ts'

const columns = [
  ...(['sequence', 'at', 'subject', 'issuer', 'name', 'operation'] as const),
  ...(['kind', 'id', 'fields', 'address', 'request_id'] as const),
]

const isEntry = ({ sql }: Statement): boolean => sql.startsWith('insert into "audit"')

/** The database returns what it stored: a condition of the entry may not have held. */
const returnEntries = (statement: Statement): Statement => ({
  ...statement,
  sql: `${statement.sql} returning ${columns.map((name) => `"${name}"`).join(', ')}`,
})

/** Only the node that stores an entry logs it, so each is in one log. */
export function logAudit(driver: Driver, { log, url }: { log: Log; url: string }): Driver {
  const write = (rows: readonly Row[]) => {
    for (const row of rows) log.info('audit', describe(row, url))
  }
  return {
    ...driver,
    async run(statement) {
      if (!isEntry(statement)) return driver.run(statement)
      write(await driver.run(returnEntries(statement)))
      return []
    },
    async batch(statements) {
      if (!statements.some(isEntry)) return driver.batch(statements)
      const results = await driver.batch(
        statements.map((each) => (isEntry(each) ? returnEntries(each) : each)),
      )
      return statements.map((each, at) => {
        const rows = results[at] ?? []
        if (!isEntry(each)) return rows
        write(rows)
        return []
      })
    },
  }
}

function describe(row: Row, url: string): Readonly<Record<string, unknown>> {
  const [sequence, at, actorId, issuer, actorName, operation, kind, id, fields, address, request] =
    row
  return {
    sequence: Number(sequence),
    at: new Date(Number(at)).toISOString(),
    ...{ actor: findKind(actorId, issuer, url), actorId, actorName },
    ...(issuer !== null && { issuer }),
    ...{ operation, kind, id },
    ...(fields !== '' && { fields: String(fields).trim() }),
    ...(address !== null && { address }),
    ...(request !== null && { requestId: request }),
  }
}

/** As in the lines of requests; `local` is the service, `unknown` someone who has not signed in. */
function findKind(subject: unknown, issuer: unknown, url: string): string {
  if (issuer === url) return 'api-client'
  return issuer === null && (subject === 'local' || subject === 'unknown') ? subject : 'account'
}
