/** The deadline of a call: it passes with time, which stands still while the browser's prompt is open, or by the page's signal. */
import type { Permission, Ports } from './ports.ts'

export interface Deadline {
  readonly signal: AbortSignal
  /** What ended the call; undefined while it goes on. */
  endedBy(): 'timeout' | 'aborted' | undefined
  /** Begins again with the whole time. */
  restart(): void
  release(): void
}

export function startDeadline(
  { schedule }: Pick<Ports, 'schedule'>,
  timeoutMs: number,
  callerSignal: AbortSignal | undefined,
  permission?: Permission,
  /** Whether there was a response: then no prompt is open, whatever the permission says. */
  hasResponse = (): boolean => false,
): Deadline {
  const controller = new AbortController()
  let endedBy: 'timeout' | 'aborted' | undefined
  let cancelTimer = (): void => undefined
  const end = (by: 'timeout' | 'aborted'): void => {
    endedBy ??= by
    controller.abort()
  }
  const onAbort = (): void => end('aborted')
  const restart = (): void => {
    cancelTimer()
    if (permission?.state !== 'prompt' || hasResponse())
      cancelTimer = schedule(timeoutMs, () => end('timeout'))
  }
  if (callerSignal?.aborted) onAbort()
  callerSignal?.addEventListener('abort', onAbort)
  permission?.addEventListener('change', restart)
  restart()
  return {
    signal: controller.signal,
    endedBy: () => endedBy,
    restart,
    release() {
      cancelTimer()
      callerSignal?.removeEventListener('abort', onAbort)
      permission?.removeEventListener('change', restart)
    },
  }
}
