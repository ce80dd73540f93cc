/** What a distribution service has stored: whether its database is whole, and its audit has the changes that were accepted. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dsOperations, isManagement } from '@cardwire/protocol'
import type { DistributionService } from '../../bed/distribution-service.ts'
import type { Fault } from './check-answer.ts'
import type { PlannedRequest } from './planned-request.ts'

/**
 * They succeed where there is nothing to change: a key that was revoked before, a version without configurations, sessions that
 * ended before, a second factor that is not there, a label that another request removes at the same time.
 */
const mayChangeNothing: readonly string[] = [
  'deleteLabel',
  'revokeLabelKey',
  'copyConfigurations',
  'endOtherSessions',
  'endAdministratorSessions',
  'resetSecondFactor',
]

const managementNames = dsOperations.filter(isManagement).map(({ name }) => name)

/** The file of the database; the local D1 of wrangler is one, too. */
export async function findDatabase(
  { database, folder }: DistributionService,
  isNode: boolean,
): Promise<string> {
  if (isNode) return database
  const files = readdirSync(join(folder, 'data'), { recursive: true, encoding: 'utf8' })
  const paths = files
    .filter((path) => /D1.*\.sqlite$/.test(path))
    .map((path) => join(folder, 'data', path))
  const found = paths.find(
    (path) => readAll(path, "select 1 from sqlite_master where name = 'audit'").length > 0,
  )
  if (found === undefined) throw new Error(`Cannot find the database of workerd in ${folder}`)
  return found
}

function readAll(path: string, ...statements: readonly string[]) {
  const database = new DatabaseSync(path)
  try {
    return statements.flatMap((statement) => database.prepare(statement).all())
  } finally {
    database.close()
  }
}

interface Expected {
  /** The requests whose change was accepted, by their ids. */
  readonly accepted: ReadonlyMap<string, PlannedRequest>
  /** The last entries of the audit before the first request and behind the last one. */
  readonly before: number
  readonly after: number
}

export function checkStored(path: string, { accepted, before, after }: Expected): readonly Fault[] {
  const integrity = readAll(path, 'pragma integrity_check')
  const [first] = integrity.map(({ integrity_check }) => String(integrity_check))
  const broken = readAll(path, 'pragma foreign_key_check')
  const entries = readAll(
    path,
    `select request_id as id, operation from audit where sequence > ${before} and sequence <= ${after}`,
  ).map(({ id, operation }) => ({ id: String(id), operation: String(operation) }))
  const undone = new Set(
    entries.flatMap(({ id, operation }) => (operation.endsWith(':undone') ? [id] : [])),
  )
  const written = new Set(
    entries.flatMap(({ id, operation }) =>
      managementNames.includes(operation) && !undone.has(id) ? [id] : [],
    ),
  )
  const missing = [...accepted].flatMap(([id, { number, operation }]) =>
    written.has(id) || mayChangeNothing.includes(operation?.name ?? '')
      ? []
      : [`request ${number}, ${operation?.name}`],
  )
  const surplus = [...written].filter((id) => !accepted.has(id))
  const report = (invariant: Fault['invariant'], isFault: boolean, reason: string): Fault[] =>
    isFault ? [{ invariant, reason }] : []
  return [
    ...report('integrity', first !== 'ok', `the database is damaged: ${first}`),
    ...report('integrity', broken.length > 0, `${broken.length} rows refer to none`),
    ...report(
      'audited',
      missing.length > 0,
      `${missing.length} of ${accepted.size} changes have no entry in the audit: ${missing.slice(0, 3).join('; ')}`,
    ),
    ...report(
      'audited',
      surplus.length > 0,
      `${surplus.length} of ${written.size} entries in the audit were not accepted: ${surplus.slice(0, 3).join(' ')}`,
    ),
  ]
}
