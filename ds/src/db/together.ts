/** Stores writes that come at the same time together: they wait once for the disk, and each is whole or not at all. */
import type { Statement } from './database.ts'

/** A connection that does one thing at a time. */
interface Connection<Rows> {
  run(statement: Statement): Rows
  /** Does all of `act` or nothing; what is thrown comes through. */
  transaction(act: () => void): void
  /** The same, as a part of a transaction. */
  part(act: () => void): void
  isOpen(): boolean
  /** Does it after whatever else this turn of the loop brings. */
  later(act: () => void): void
}

interface Job<Rows> {
  readonly statements: readonly Statement[]
  resolve(results: readonly Rows[]): void
  reject(error: unknown): void
}

export function together<Rows>(connection: Connection<Rows>) {
  let waiting: Job<Rows>[] = []

  const flush = () => {
    const jobs = waiting
    waiting = []
    const [only] = jobs
    // One statement alone is whole by itself.
    if (only && jobs.length === 1 && only.statements.length === 1) attempt(connection, only)()
    else if (only) store(connection, jobs)
  }

  return {
    add: (statements: readonly Statement[]) =>
      new Promise<readonly Rows[]>((resolve, reject) => {
        waiting.push({ statements, resolve, reject })
        if (waiting.length === 1) connection.later(flush)
      }),
    /** Stores now what waits. */
    flush,
  }
}

/** Nobody hears of success before all of it is on disk. */
function store<Rows>(connection: Connection<Rows>, jobs: readonly Job<Rows>[]): void {
  const tellings: (() => void)[] = []
  try {
    connection.transaction(() => {
      for (const job of jobs) {
        tellings.push(attempt(connection, job))
        // A full disk ends the whole transaction (sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction).
        if (!connection.isOpen()) throw new Error('Cannot store: the transaction has ended')
      }
    })
  } catch (error) {
    for (const { reject } of jobs) reject(error)
    return
  }
  for (const tell of tellings) tell()
}

/** Runs a job as a part that can fail alone; answers with how to tell who waits. */
function attempt<Rows>(connection: Connection<Rows>, job: Job<Rows>): () => void {
  const { statements, resolve, reject } = job
  const results: Rows[] = []
  const act = () => {
    for (const statement of statements) results.push(connection.run(statement))
  }
  try {
    if (statements.length === 1) act()
    else connection.part(act)
    return () => resolve(results)
  } catch (error) {
    return () => reject(error)
  }
}
