/** Waits for what happens in other programs, as long as a loaded machine may take. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'

const timeoutMs = 60_000
const intervalMs = 20

/** Resolves as soon as it holds. `describe`: the state in which it did not, for the error. */
export async function waitFor(
  holds: () => boolean | Promise<boolean>,
  describe: () => string = () => 'the condition never held',
): Promise<void> {
  await waitForValue(async () => ((await holds()) ? true : undefined), describe)
}

/** Resolves with the first value that is found. */
export async function waitForValue<T>(
  find: () => T | undefined | Promise<T | undefined>,
  describe: () => string = () => 'no value was found',
): Promise<T> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(`Cannot wait any longer: ${describe()}`)
    await setTimeout(intervalMs)
  }
}

/** Waits until a program has ended, which it may have before; its exit status. */
export async function waitForEnd(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}
