/** How long this process works on something: on a busy machine it takes longer, and needs no more of the processor. */
import process from 'node:process'

/** Milliseconds of the processor; never more than have passed, because other threads of this process count too. */
export async function measureProcessorMs(run: () => unknown): Promise<number> {
  const startedMs = performance.now()
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return Math.min((user + system) / 1000, performance.now() - startedMs)
}
