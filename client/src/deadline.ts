/** When a call ends early: the page says so, or its time is over, which does not run while the person is being asked. */
import type { Permission, Ports } from './ports.ts'

export interface Deadline {
  readonly signal: AbortSignal
  /** Who ended it. */
  ended(): 'timeout' | 'aborted' | undefined
  /** Begins again with the whole time. */
  restart(): void
  release(): void
}

export function deadline(
  { after }: Pick<Ports, 'after'>,
  timeoutMs: number,
  given: AbortSignal | undefined,
  permission?: Permission,
  /** Whether there was an answer: then no question is open, whatever the permission says. */
  answered = (): boolean => false,
): Deadline {
  const own = new AbortController()
  let ended: 'timeout' | 'aborted' | undefined
  let callOff = (): void => undefined
  const end = (by: 'timeout' | 'aborted'): void => {
    ended ??= by
    own.abort()
  }
  const onAbort = (): void => end('aborted')
  const restart = (): void => {
    callOff()
    if (permission?.state !== 'prompt' || answered())
      callOff = after(timeoutMs, () => end('timeout'))
  }
  if (given?.aborted) onAbort()
  given?.addEventListener('abort', onAbort)
  permission?.addEventListener('change', restart)
  restart()
  return {
    signal: own.signal,
    ended: () => ended,
    restart,
    release() {
      callOff()
      given?.removeEventListener('abort', onAbort)
      permission?.removeEventListener('change', restart)
    },
  }
}
