/** The process of one queue: started for an operation when there is none, and ended later. */
import type { Clock } from '../../system/clock.ts'
import type { TokenLibrary } from '../../system/ipc/token-messages.ts'
import type { CardProcess } from './card-process.ts'

export interface ProcessSlot {
  /** The process that runs, else a new one. Throws as `start` does. */
  use(library: TokenLibrary | undefined): CardProcess
  /** Lets the process end by itself; one that hangs is killed. */
  end(): void
  /** Ends the process at once. */
  kill(): void
  /** The same; resolves when it has ended. */
  stop(): Promise<void>
}

/** Milliseconds after which a process that is to end is killed: a library may hang at the end of its process. */
const graceMs = 1000

export function createProcessSlot(
  start: (library: TokenLibrary | undefined) => CardProcess,
  clock: Clock,
): ProcessSlot {
  let process: CardProcess | undefined
  return {
    use(library) {
      const used = process ?? start(library)
      process = used
      void used.exited.then(() => {
        if (process === used) process = undefined
      })
      return used
    },
    end() {
      if (!process) return
      const { end, kill, exited } = process
      end()
      const cancel = clock.after(graceMs, kill)
      void exited.then(cancel)
      process = undefined
    },
    kill: () => process?.kill(),
    async stop() {
      const running = process
      running?.kill()
      await running?.exited
    },
  }
}
