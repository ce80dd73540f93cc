/** What lies in the files of a killed service: read from a copy, because opening a database repairs it. */
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Results } from './results.ts'
import type { Acknowledged } from './service-load.ts'

/** Compares the files of a database with what was acknowledged. */
export async function checkDatabase(
  database: string,
  acknowledged: Acknowledged,
  results: Results,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-kills-'))
  try {
    const copy = join(folder, 'copy.sqlite')
    for (const part of ['', '-wal', '-shm'])
      if (existsSync(database + part)) await cp(database + part, copy + part)
    const connection = new DatabaseSync(copy)
    try {
      checkContent(connection, acknowledged, results)
    } finally {
      connection.close()
    }
  } catch (error) {
    results.check('database-whole', false, () => String(error))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function checkContent(
  connection: DatabaseSync,
  { devices, labels, tags, names }: Acknowledged,
  results: Results,
): void {
  const select = (sql: string) => connection.prepare(sql).all()
  const ids = (table: string) => new Set(select(`select id from ${table}`).map(({ id }) => id))
  const report = select('pragma integrity_check').map((row) => row['integrity_check'])
  results.check('database-whole', report.join() === 'ok', () => report.join('; '))

  checkKept('device', devices, ids('devices'), results)
  checkKept('label', labels, ids('labels'), results)
  const counted = new Map(
    select('select tag, sum(count) as uses from counters group by tag').map(({ tag, uses }) => [
      String(tag),
      Number(uses),
    ]),
  )
  checkKept('batch', tags, new Set(counted.keys()), results)
  const twice = [...counted].filter(([, uses]) => uses !== 1)
  results.check('counted-once', twice.length === 0, () => `${twice[0]?.join(' is counted ')} times`)
  for (const { id, name } of select('select id, name from organizations')) {
    const revisions = names.get(String(id))
    if (!revisions) continue
    const stored = Number(/\d+$/.exec(String(name))?.[0] ?? 0)
    const isKept = stored >= revisions.acknowledged && stored <= revisions.sent
    results.check(
      'acknowledged-kept',
      isKept,
      () => `organization ${id}: ${revisions.acknowledged} was acknowledged, ${stored} is stored`,
    )
  }
}

/** Everything that was acknowledged is stored. */
export function checkKept(
  what: string,
  acknowledged: ReadonlySet<string>,
  stored: ReadonlySet<unknown>,
  results: Results,
): void {
  const lost = [...acknowledged].filter((id) => !stored.has(id))
  results.check(
    'acknowledged-kept',
    lost.length === 0,
    () => `${what} "${lost[0]}" is lost, and ${lost.length - 1} more of ${acknowledged.size}`,
  )
}
