/** Lets the hours pass: what is due happens, one event after the other. */
import type { EventQueue } from '../../simulation/event-queue.ts'
import type { Results } from './results.ts'

export interface ClockRunner {
  /** Until a time, in milliseconds since 1970. */
  run(endAt: number): Promise<void>
  /** Until this work has ended, a virtual hour at most; its result. */
  settle<T>(work: Promise<T>): Promise<T>
  /** Work that nobody waits for; a failure of it is a defect. */
  begin(work: Promise<unknown>): void
}

const hourMs = 3_600_000

export function createClockRunner(queue: EventQueue, results: Results): ClockRunner {
  async function runUntil(endAt: number, isEnough: () => boolean): Promise<void> {
    await drain()
    while (!isEnough()) {
      const nextAt = queue.nextAt()
      if (nextAt === undefined || nextAt > endAt) break
      queue.step()
      results.count('events of the clock')
      await drain()
    }
  }
  return {
    run: (endAt) => runUntil(endAt, () => false),
    async settle(work) {
      let isDone = false
      const note = () => {
        isDone = true
      }
      work.then(note, note)
      await runUntil(queue.now() + hourMs, () => isDone)
      return work
    },
    begin(work) {
      work.catch((error) => results.check('no-defect', false, () => String(error)))
    },
  }
}

/** Everything that waits for nothing but the processor. */
const drain = () => new Promise<void>((resolve) => void setImmediate(resolve))
