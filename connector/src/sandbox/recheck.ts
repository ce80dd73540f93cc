/** Lists the readers once more when a wait has begun: a reader may have come after the listing and before the wait. */
import { ignorePcscErrors } from './pcsc/codes.ts'
import type { Pcsc } from './pcsc/pcsc.ts'
import type { PendingWait } from './status-loop.ts'

/**
 * When, in milliseconds after the wait was announced. pcsc-lite counts the readers as a wait begins, and does not return
 * the count: only a listing made during the wait shows that no reader was missed. A wait begins at once; on a machine that
 * is very busy, a moment later.
 */
const afterMs = [100, 1000]

interface Recheck {
  /** A wait begins: it is cancelled when there are other readers than those listed before it. */
  schedule(wait: PendingWait): void
  /** The wait is over. */
  cancel(): void
}

export function createRecheck(pcsc: Pcsc): Recheck {
  let timers: readonly ReturnType<typeof setTimeout>[] = []
  const cancel = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }
  return {
    cancel,
    schedule(wait) {
      cancel()
      timers = afterMs.map((ms) =>
        setTimeout(() => ignorePcscErrors(() => recheckReaders(pcsc, wait)), ms),
      )
    },
  }
}

/** Over a connection of its own, as the other one waits. A card service that fails meanwhile ends the wait itself. */
function recheckReaders(pcsc: Pcsc, { context, names }: PendingWait): void {
  const own = pcsc.establish()
  try {
    const now = pcsc.listReaders(own)
    const same = now.length === names.length && now.every((name, index) => name === names[index])
    if (!same) pcsc.cancel(context)
  } finally {
    ignorePcscErrors(() => pcsc.release(own))
  }
}
