/** The database driver of Deno: its `node:sqlite`. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Row, Statement } from './database.ts'
import { type FileDriver, pragmas } from './file-driver.ts'

export function openNodeSqlite(file: string): FileDriver {
  const connection = new DatabaseSync(file)
  for (const pragma of pragmas) connection.exec(`pragma ${pragma}`)
  const run = ({ sql, params }: Statement): readonly Row[] => {
    const statement = connection.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all(...(params as SQLInputValue[])) as unknown as Row[]
  }
  return {
    run: async (statement) => run(statement),
    async batch(statements) {
      connection.exec('begin immediate')
      try {
        const results = statements.map(run)
        connection.exec('commit')
        return results
      } catch (error) {
        // A full disk has ended the transaction already.
        if (connection.isTransaction) connection.exec('rollback')
        throw error
      }
    },
    close: () => connection.close(),
  }
}
