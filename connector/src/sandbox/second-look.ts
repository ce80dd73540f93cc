/** Looks once more at the readers when a wait has begun, for one that came after the listing and before the wait. */
import { quietly } from '../pcsc/codes.ts'
import type { Pcsc } from '../pcsc/pcsc.ts'
import type { Blind } from './follow.ts'

/**
 * When, in milliseconds after the wait was announced. pcsc-lite counts the readers as a wait begins, and tells nobody
 * how many: only a listing that is made while the wait lasts shows that nobody was overlooked. A wait begins at once;
 * on a machine that is very busy, a moment later.
 */
const afterMs = [100, 1000]

interface SecondLook {
  /** A wait begins: it is cancelled when there are other readers than those listed before it. */
  at(blind: Blind): void
  /** The wait is over. */
  end(): void
}

export function secondLook(pcsc: Pcsc): SecondLook {
  let timers: readonly ReturnType<typeof setTimeout>[] = []
  const end = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }
  return {
    end,
    at(blind) {
      end()
      timers = afterMs.map((ms) => setTimeout(() => quietly(() => look(pcsc, blind)), ms))
    },
  }
}

/** Over a connection of its own: the other is in the wait. A card service that fails meanwhile ends the wait itself. */
function look(pcsc: Pcsc, { context, names }: Blind): void {
  const own = pcsc.establish()
  try {
    const now = pcsc.listReaders(own)
    const same = now.length === names.length && now.every((name, index) => name === names[index])
    if (!same) pcsc.cancel(context)
  } finally {
    quietly(() => pcsc.release(own))
  }
}
