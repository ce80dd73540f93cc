/** The database driver of Deno: its `node:sqlite`. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Row, Statement } from './database.ts'
import { type FileDriver, pragmas } from './file-driver.ts'
import { closeLast, createReadThread, type ReaderSource } from './read-thread.ts'

export function openNodeSqlite(file: string): FileDriver {
  const connection = new DatabaseSync(file)
  for (const pragma of pragmas) connection.exec(`pragma ${pragma}`)
  const run = ({ sql, params }: Statement): readonly Row[] => {
    const statement = connection.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all(...(params as SQLInputValue[])) as unknown as Row[]
  }
  const reads = createReadThread(file, readerSource)
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
    read: (statement) => reads.run(statement),
    close: () =>
      closeLast(reads, () => {
        // A thread that was given up on Deno has not closed its connection: this one is not the last then.
        try {
          connection.exec('pragma wal_checkpoint(truncate)')
        } catch {
          // A disk is full: the next start reads the write-ahead log.
        }
        connection.close()
      }),
  }
}

const readerSource: ReaderSource<{ readonly DatabaseSync: typeof DatabaseSync }> = {
  module: 'node:sqlite',
  open: ({ DatabaseSync: Database }, path) => {
    const connection = new Database(path, { readOnly: true })
    connection.exec('pragma busy_timeout = 5000')
    return {
      read({ sql, params }) {
        const statement = connection.prepare(sql)
        statement.setReturnArrays(true)
        return statement.all(...(params as SQLInputValue[])) as unknown as Row[]
      },
      close: () => connection.close(),
    }
  },
}
