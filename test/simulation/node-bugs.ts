/** Bugs that only several nodes show: with one node, each of these wrong memories is right. */
import type { Driver, Row, Statement } from './service-code.ts'

/** Columns of a rollout, in the order of its table. */
const column = { id: 0, state: 3 } as const

const readingOpenRollouts = /^select .* from "rollouts" where "rollouts"\."state" <> /
const readingKeys = /^select .* from "signing_keys" where "signing_keys"\."use"/
const newestSequence = '(select max("sequence") from "audit")'

const changes = (table: string) => {
  const pattern = new RegExp(`^(insert into|update|delete from) "${table}"`)
  return ({ sql }: Statement) => pattern.test(sql)
}

/** Calls `note` before and behind each statement or batch that has one for which `concerns` holds. */
function watching(
  driver: Driver,
  concerns: (statement: Statement) => boolean,
  note: (statements: readonly Statement[]) => void,
): Driver {
  const watch = async <T>(statements: readonly Statement[], act: () => Promise<T>): Promise<T> => {
    if (!statements.some(concerns)) return act()
    note(statements)
    try {
      return await act()
    } finally {
      note(statements)
    }
  }
  return {
    ...driver,
    run: (statement) => watch([statement], () => driver.run(statement)),
    batch: (statements) => watch(statements, () => driver.batch(statements)),
  }
}

/** Notices only its own entries in the audit. */
export function seeingOwnChanges(driver: Driver): Driver {
  let newest: { readonly sequence: unknown } | undefined
  const watched = watching(driver, changes('audit'), () => {
    newest = undefined
  })
  return {
    ...watched,
    async run(statement) {
      const rows = await watched.run(statement)
      const [row] = rows
      if (!statement.sql.startsWith('select') || !statement.sql.includes(newestSequence) || !row)
        return rows
      newest ??= { sequence: row.at(-1) }
      return [[...row.slice(0, -1), newest.sequence]]
    },
  }
}

/** Once another node has paused a rollout that it has seen running, it serves all rollouts as they were then. */
export function keepingRolloutsOfPause(driver: Driver): Driver {
  let kept: readonly Row[] | undefined
  const running = new Map<unknown, Row>()
  /** Those that this node has tried to change since it saw them running. */
  const changed = new Set<unknown>()
  const watched = watching(driver, changes('rollouts'), (statements) => {
    kept = undefined
    for (const { params } of statements) for (const param of params) changed.add(param)
  })
  const isPausedElsewhere = ({ [column.id]: id, [column.state]: state }: Row) =>
    state === 'paused' && running.has(id) && !changed.has(id)
  return {
    ...watched,
    async run(statement) {
      const rows = await watched.run(statement)
      if (!readingOpenRollouts.test(statement.sql)) return rows
      if (kept === undefined && rows.some(isPausedElsewhere)) kept = rows
      for (const row of rows.filter((each) => each[column.state] === 'running')) {
        running.set(row[column.id], row)
        changed.delete(row[column.id])
      }
      return kept ?? rows
    },
  }
}

/** Reads its signing keys again only after it has changed them itself. */
export function keepingKeys(driver: Driver): Driver {
  const kept = new Map<unknown, readonly Row[]>()
  const watched = watching(driver, changes('signing_keys'), () => kept.clear())
  return {
    ...watched,
    async run(statement) {
      const known = kept.get(statement.params[0])
      if (!readingKeys.test(statement.sql)) return watched.run(statement)
      const rows = known ?? (await watched.run(statement))
      kept.set(statement.params[0], rows)
      return rows
    },
  }
}

/** So many readings take less than a minute: a node that is slow between its decision and the statement that stores it. */
const slowReadings = 2000

/** Begins the stage behind whatever is stored by then, unless this node has changed it itself: two that decide the same begin two. */
export function advancingWhatIsStored(driver: Driver): Driver {
  let ownChanges = 0
  const watched = watching(driver, changes('rollouts'), () => {
    ownChanges += 1
  })
  const isStep = ({ sql }: Statement) => /^update "rollouts" set .*"stage" = \?/.test(sql)
  const changeStep = ({ sql, params }: Statement): Statement => ({
    sql: sql
      .replace('"rollouts"."revision" = ?', `"rollouts"."state" = 'running' and ? >= 0`)
      .replace('"stage" = ?', '"stage" = "rollouts"."stage" + 1 + 0 * ?'),
    params,
  })
  return {
    ...watched,
    async batch(statements) {
      if (!statements.some(isStep)) return watched.batch(statements)
      const before = ownChanges
      for (let reading = 0; reading < slowReadings; reading += 1)
        await driver.run({ sql: 'select 1', params: [] })
      return watched.batch(ownChanges === before ? statements.map(changeStep) : statements)
    },
  }
}
