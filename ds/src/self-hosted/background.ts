/** Work that continues after the request that started it, until the service stops. */
import { describeError } from '../db/describe-error.ts'
import type { Background, Log } from '../ports.ts'

export interface BackgroundWork {
  readonly run: Background
  /** Resolves when what was started has ended. */
  settle(): Promise<unknown>
}

export function createBackground(log: Pick<Log, 'error'>): BackgroundWork {
  const running = new Set<Promise<void>>()
  return {
    run(work) {
      const ended = work()
        .catch((error) =>
          log.error('work in the background failed', { error: describeError(error) }),
        )
        .finally(() => running.delete(ended))
      running.add(ended)
    },
    settle: () => Promise.all(running),
  }
}

/** Starts work in the background after a time, unless the service stops before. */
export const createSchedule =
  (run: Background, stopping: AbortSignal) =>
  (work: () => Promise<void>, afterMs: number): void => {
    const timer = setTimeout(() => {
      stopping.removeEventListener('abort', forget)
      run(work)
    }, afterMs)
    const forget = () => clearTimeout(timer)
    stopping.addEventListener('abort', forget, { once: true })
  }
