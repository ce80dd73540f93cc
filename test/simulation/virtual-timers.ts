/** Timers of the programs, on the clock of the simulation: a request that waits for another one looks again after some milliseconds. */
import type { EventQueue } from './event-queue.ts'

type Act = (...given: unknown[]) => void

/** Until the answer is called. */
export function replaceTimers({ after }: EventQueue): () => void {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
  const cancels = new Map<unknown, () => void>()
  const plan =
    (isRepeated: boolean) =>
    (act: Act, ms = 0, ...given: unknown[]) => {
      const timer = { ref: () => timer, unref: () => timer, hasRef: () => true }
      const start = () => {
        const cancel = after(Math.max(1, ms), () => {
          cancels.delete(timer)
          if (isRepeated) start()
          act(...given)
        })
        cancels.set(timer, cancel)
      }
      start()
      return timer
    }
  const cancel = (timer: unknown) => {
    cancels.get(timer)?.()
    cancels.delete(timer)
  }
  Object.assign(globalThis, {
    ...{ setTimeout: plan(false), setInterval: plan(true) },
    ...{ clearTimeout: cancel, clearInterval: cancel },
  })
  return () => {
    Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval })
  }
}
