/** Commits writes of the same moment together: they wait for the disk once, and each is stored whole or not at all. */
import type { Statement } from './database.ts'

/** A synchronous connection to the database. */
interface Connection<Rows> {
  run(statement: Statement): Rows
  /** Runs `act` in a transaction, which is rolled back when it throws; rethrows. */
  transaction(act: () => void): void
  /** The same within a transaction. */
  savepoint(act: () => void): void
  inTransaction(): boolean
  /** Runs `act` after the other work of this turn of the event loop. */
  defer(act: () => void): void
}

interface Job<Rows> {
  readonly statements: readonly Statement[]
  resolve(results: readonly Rows[]): void
  reject(error: unknown): void
}

export function createGroupCommit<Rows>(connection: Connection<Rows>) {
  let waiting: Job<Rows>[] = []

  const flush = () => {
    const jobs = waiting
    waiting = []
    const [only] = jobs
    // A single statement needs no transaction.
    if (only && jobs.length === 1 && only.statements.length === 1) runJob(connection, only).settle()
    else if (only) commitJobs(connection, jobs)
  }

  return {
    add: (statements: readonly Statement[]) =>
      new Promise<readonly Rows[]>((resolve, reject) => {
        waiting.push({ statements, resolve, reject })
        if (waiting.length === 1) connection.defer(flush)
      }),
    /** Commits at once what is waiting. */
    flush,
  }
}

/** No promise resolves before all of it is on disk. */
function commitJobs<Rows>(connection: Connection<Rows>, jobs: readonly Job<Rows>[]): void {
  const callbacks: (() => void)[] = []
  try {
    connection.transaction(() => {
      for (const job of jobs) {
        const { settle, error } = runJob(connection, job)
        callbacks.push(settle)
        // A full disk ends the whole transaction (sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction).
        if (!connection.inTransaction())
          throw new Error('Cannot store: the transaction has ended', { cause: error })
      }
    })
  } catch (error) {
    for (const { reject } of jobs) reject(error)
    return
  }
  for (const settle of callbacks) settle()
}

/** Runs a job, which can fail alone; returns the function that settles its promise, and why it failed. */
function runJob<Rows>(
  connection: Connection<Rows>,
  job: Job<Rows>,
): { settle(): void; readonly error?: unknown } {
  const { statements, resolve, reject } = job
  const results: Rows[] = []
  const act = () => {
    for (const statement of statements) results.push(connection.run(statement))
  }
  try {
    if (statements.length === 1) act()
    else connection.savepoint(act)
    return { settle: () => resolve(results) }
  } catch (error) {
    return { settle: () => reject(error), error }
  }
}
