/** Describes an unexpected error for the log, without the values that a database error contains. */

export interface ErrorDescription {
  readonly name: string
  readonly message: string
  readonly statement?: string
  readonly stack: readonly string[]
  readonly cause?: ErrorDescription
}

export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error), stack: [] }
  const statement = findStatement(error)
  return {
    name: error.name,
    // Drizzle's message repeats the bound values, which may be secrets.
    message: statement === undefined ? error.message : 'a statement failed',
    ...(statement !== undefined && { statement }),
    // A stack begins with the message, whose lines may look like stack frames.
    stack: (error.stack ?? '')
      .replace(error.message, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('at ')),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}

/** The same as one sentence: what the database says of a statement, else the message. */
export function explainError(error: unknown): string {
  const { message, statement, cause } = describeError(error)
  return statement === undefined || cause === undefined ? message : `${message}: ${cause.message}`
}

/** The same as lines of text, for standard error. */
export function formatError(error: unknown): string {
  const { name, message, statement, stack, cause } = describeError(error)
  return [
    `${name}: ${message}`,
    ...(statement === undefined ? [] : [statement]),
    ...stack.map((line) => `    ${line}`),
    ...(cause === undefined ? [] : [`caused by ${formatError((error as Error).cause)}`]),
  ].join('\n')
}

const findStatement = (error: Error): string | undefined =>
  'query' in error && 'params' in error && typeof error.query === 'string' ? error.query : undefined
