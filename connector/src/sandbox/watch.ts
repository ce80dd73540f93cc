/** Follows the readers and cards of a card service, for as long as the thread lives. */
import { meaningOf, PcscError, quietly } from '../pcsc/codes.ts'
import { type Context, type Pcsc, plugAndPlay } from '../pcsc/pcsc.ts'
import type { Sight } from './messages.ts'

export interface Watcher {
  /** Called at every look, also when nothing has changed. */
  see(sight: Sight): void
  /** From `true` on, calls follow that have to return at once; from `false` on, one that may take for ever. */
  busy(busy: boolean): void
  /** Sleeps this thread. */
  pause(ms: number): void
  /** Milliseconds on a clock that never goes back. */
  now(): number
}

/** How long to wait before asking again for a card service that is not there, in milliseconds: first, and at most. */
const backOffMs = { first: 50, most: 1000 }
/** A connection that held this long was a good one, and the next failure is a new story. */
const goodMs = 5000

/** Watches until `stopped` says so: connects, follows, and after a failure connects again. */
export function watch(pcsc: Pcsc, watcher: Watcher, stopped: () => boolean = () => false): void {
  let backOff = backOffMs.first
  while (!stopped()) {
    const from = watcher.now()
    try {
      watcher.busy(true)
      const context = pcsc.establish()
      try {
        follow(pcsc, context, watcher, stopped)
      } finally {
        watcher.busy(true)
        quietly(() => pcsc.release(context))
      }
    } catch (error) {
      if (!(error instanceof PcscError)) throw error
      if (watcher.now() - from > goodMs) backOff = backOffMs.first
      watcher.see({ kind: 'down', code: error.code, reason: meaningOf(error.code) })
      watcher.busy(false)
      watcher.pause(backOff)
      backOff = Math.min(backOff * 2, backOffMs.most)
    }
  }
}

/** How long a wait lasts, in milliseconds. */
const waits = {
  // pcsc-lite counts the readers when a wait begins: one that came after the listing is seen by the next listing.
  settling: 250,
  // The same once more, for whoever came in the same instant again.
  settled: 60_000,
  // Without the pseudo reader, or with a reader that cannot be waited for, somebody has to look.
  polling: 1000,
}

interface Seen {
  readonly state: number
  readonly atr?: string
}

function follow(pcsc: Pcsc, context: Context, watcher: Watcher, stopped: () => boolean): void {
  const knowsPlugAndPlay = supportsPlugAndPlay(pcsc, context)
  let pseudoState = 0
  let seen = new Map<string, Seen>()
  let before: readonly string[] | undefined
  while (!stopped()) {
    watcher.busy(true)
    const names = pcsc.listReaders(context)
    const settled = before !== undefined && sameNames(names, before)
    before = names
    seen = look(pcsc, context, names, seen)
    watcher.see({
      kind: 'up',
      readers: names.map((name) => {
        const atr = seen.get(name)?.atr
        return { name, ...(atr !== undefined && { atr }) }
      }),
    })

    const awaited = [...seen].map(([name, { state }]) => ({ name, state }))
    const pseudo = knowsPlugAndPlay && awaited.length < pcsc.mostStates
    if (pseudo) awaited.unshift({ name: plugAndPlay, state: pseudoState })
    const poll = !pseudo || seen.size < names.length
    const timeout = poll ? waits.polling : settled ? waits.settled : waits.settling
    watcher.busy(false)
    if (awaited.length === 0) {
      watcher.pause(timeout)
      continue
    }
    const changes = refusal(lostReader, () => pcsc.getStatusChange(context, timeout, awaited))
    if (changes === 'refused') {
      // Unplugged between the listing and the wait: everything is looked at again, in no hurry.
      seen = new Map()
      watcher.pause(backOffMs.first)
      continue
    }
    for (const { name, state, gone, atr } of changes ?? []) {
      if (name === plugAndPlay) pseudoState = state
      else if (gone) seen.delete(name)
      else seen.set(name, { state, ...(atr !== undefined && { atr }) })
    }
  }
}

/** What is in the readers that were not seen before; a reader that cannot be asked is left out. */
function look(
  pcsc: Pcsc,
  context: Context,
  names: readonly string[],
  before: ReadonlyMap<string, Seen>,
): Map<string, Seen> {
  const seen = new Map<string, Seen>()
  for (const name of names) {
    const known = before.get(name)
    if (known) {
      seen.set(name, known)
      continue
    }
    const found = refusal(lostReader, () => pcsc.getStatusChange(context, 0, [{ name, state: 0 }]))
    const status = found === 'refused' ? undefined : found?.[0]
    if (!status || status.gone) continue
    const { state, atr } = status
    seen.set(name, { state, ...(atr !== undefined && { atr }) })
  }
  return seen
}

/** Windows and pcsc-lite know the pseudo reader; macOS calls it unknown, in a code or in a state. */
function supportsPlugAndPlay(pcsc: Pcsc, context: Context): boolean {
  const found = refusal(lostReader, () =>
    pcsc.getStatusChange(context, 0, [{ name: plugAndPlay, state: 0 }]),
  )
  return found !== 'refused' && found?.[0]?.gone !== true
}

/** Codes that speak of a reader, or of this one wait, and not of the card service. */
const lostReader: ReadonlySet<string> = new Set([
  'SCARD_E_CANCELLED',
  'SCARD_E_READER_UNAVAILABLE',
  'SCARD_E_UNKNOWN_READER',
])

function refusal<T>(codes: ReadonlySet<string>, act: () => T): T | 'refused' {
  try {
    return act()
  } catch (error) {
    if (error instanceof PcscError && codes.has(error.code)) return 'refused'
    throw error
  }
}

const sameNames = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name, index) => name === other[index])
