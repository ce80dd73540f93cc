/** Logs what fails behind the local page, which shows that alone what a user can act on. */
import { describeError } from '../../system/file-error.ts'
import type { Log } from '../../system/log.ts'

/** `requestId`: of the request that failed; absent for what the page reads by itself. */
export type ReportFailure = (error: unknown, requestId?: string) => void

/**
 * Whole, each failed request by its id; what is read every two seconds once for each reason. `open`: anew for each failure, because
 * the checks of the doctor open a log of their own in the same process.
 */
export function createFailureReport(open: () => Pick<Log, 'error'>): ReportFailure {
  const logged = new Set<string>()
  return (error, requestId) => {
    const reason = describeError(error)
    if (requestId === undefined && logged.has(reason)) return
    logged.add(reason)
    const stack = error instanceof Error ? error.stack?.split('\n') : undefined
    open().error('page failed', { ...(requestId !== undefined && { requestId }), reason, stack })
  }
}
