/** A database in which another editor is faster: a change is stored between what a request reads and what it writes. */
import type { Driver, Statement } from '../../src/db/database.ts'

export interface FasterEditor {
  readonly driver: Driver
  /** Stores this change, SQL, directly before the next write to the table. */
  contest(table: string, change: string): void
  /** Whether that write has come. */
  wasFaster(): boolean
}

export function createFasterEditor(driver: Driver): FasterEditor {
  let next: { readonly writes: RegExp; readonly change: string } | undefined
  const beFaster = async (statements: readonly Statement[]) => {
    const contested = next
    if (!contested || !statements.some(({ sql }) => contested.writes.test(sql))) return
    next = undefined
    await driver.run({ sql: contested.change, params: [] })
  }
  return {
    contest(table, change) {
      next = { writes: new RegExp(`(?:insert into|update|delete from) "${table}"`), change }
    },
    wasFaster: () => next === undefined,
    driver: {
      ...driver,
      async run(statement) {
        await beFaster([statement])
        return driver.run(statement)
      },
      async batch(statements) {
        await beFaster(statements)
        return driver.batch(statements)
      },
    },
  }
}
