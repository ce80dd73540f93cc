/** A request of the load: it is answered, or its connection ends, before its deadline. */
import type { Results } from './results.ts'

/** What `fetch` and `node:https` report when a program ends while it is asked, or is not there. */
const connectionEnds =
  /ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR|fetch failed|socket hang up|terminated/

/**
 * Resolves with undefined when the connection ended, as it does when the program is killed. Anything else that is thrown is
 * a defect, and no answer within `deadlineMs` a hang.
 */
export async function attempt<T>(
  results: Results,
  what: string,
  deadlineMs: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const startedAt = performance.now()
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), deadlineMs)
  let isAnswered = false
  try {
    const answer = await Promise.race([
      work().finally(() => {
        isAnswered = true
      }),
      late.promise,
    ])
    results.check('answered-in-time', isAnswered, () => `${what} has no end after ${deadlineMs} ms`)
    results.count(isAnswered ? what : `${what} hung`)
    return answer
  } catch (error) {
    const isEnd = connectionEnds.test(describe(error))
    results.check('answered-in-time', true, () => '')
    results.check('no-defect', isEnd, () => `${what}: ${describe(error)}`)
    results.count(`${what}: connection ended`)
    return undefined
  } finally {
    clearTimeout(timer)
    results.measure(what, performance.now() - startedAt)
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? ` ${error.code}` : ''
  return `${error.message}${code}${error.cause === undefined ? '' : ` ← ${describe(error.cause)}`}`
}
