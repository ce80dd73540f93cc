/** An error of PostgreSQL, without the values that its server repeats. */

/** The state of a connection that failed (postgresql.org/docs/current/errcodes-appendix.html). */
const connectionFailure = '08006'

export class PostgresError extends Error {
  /** SQLSTATE. */
  readonly state: string
  /** The table and the constraint that were violated. */
  readonly table: string | undefined
  readonly constraint: string | undefined

  constructor(
    message: string,
    {
      state,
      table,
      constraint,
    }: { state: string; table?: string | undefined; constraint?: string | undefined },
  ) {
    super(message)
    this.state = state
    this.table = table
    this.constraint = constraint
  }

  /**
   * Whether another connection is needed: this one has ended, or the server ends it, or takes no writes (25006
   * read_only_sql_transaction), as one that has become a standby.
   */
  get isOfConnection(): boolean {
    return /^(08|57P|25006)/.test(this.state)
  }

  /** Whether it lost to another transaction, and has changed nothing: 40001 serialization_failure, 40P01 deadlock_detected. */
  get mayRetry(): boolean {
    return this.state === '40001' || this.state === '40P01'
  }
}

/** The fields of an answer that says why the server refused (postgresql.org/docs/current/protocol-error-fields.html). */
interface ServerError extends Error {
  readonly code?: string
  readonly table?: string
  readonly constraint?: string
}

/** What the driver has thrown: an answer of the server has a severity; everything else is the connection's. */
export function toPostgresError(error: unknown): PostgresError {
  if (error instanceof PostgresError) return error
  if (!(error instanceof Error)) return new PostgresError(String(error), { state: 'XX000' })
  if (!('severity' in error)) {
    return new PostgresError(`the database cannot be reached: ${describeCause(error)}`, {
      state: connectionFailure,
    })
  }
  const { code, table, constraint } = error as ServerError
  const state = code ?? 'XX000'
  // Class 22 are values that do not fit: the server repeats them.
  const message = state.startsWith('22') ? 'a value does not fit' : error.message
  return new PostgresError(`${message} (${state})`, { state, table, constraint })
}

/** Several addresses of one host fail together, and the error that holds theirs has no message. */
function describeCause(error: Error): string {
  const causes = error instanceof AggregateError ? error.errors : [error]
  return causes.map((cause) => (cause instanceof Error ? cause.message : String(cause))).join(', ')
}
