/** The same through the library alone, without a connector. */
import { fileURLToPath } from 'node:url'
import { openPcsc } from '../src/sandbox/pcsc/pcsc.ts'

/** p50 of a listing, in milliseconds. */
export function measureBareListing(): number {
  const pcsc = openPcsc(undefined)
  const context = pcsc.establish()
  const times = Array.from({ length: 2000 }, () => {
    const started = performance.now()
    const names = pcsc.listReaders(context)
    pcsc.getStatusChange(
      context,
      0,
      names.map((name) => ({ name, state: 0 })),
    )
    return performance.now() - started
  }).toSorted((a, b) => a - b)
  pcsc.release(context)
  return times[times.length >> 1] ?? Number.NaN
}

/** A thread that waits for a card in this reader; resolves when it waits, `returned` with the time it returned. */
export async function startBareWait(
  reader: string,
): Promise<{ readonly returned: Promise<number> }> {
  const thread = new Worker(fileURLToPath(new URL('./pcsc-wait-thread.ts', import.meta.url)))
  const waits = Promise.withResolvers<void>()
  const returned = Promise.withResolvers<number>()
  thread.onmessage = ({ data }) => {
    if (data === 'waiting') waits.resolve()
    else {
      returned.resolve(performance.now())
      thread.terminate()
    }
  }
  thread.postMessage(reader)
  await waits.promise
  return { returned: returned.promise }
}
