/** Monitors readers and cards over one connection to the card service, until a call shows that the connection is lost. */

import type { ConnectedReader, ReaderState } from '../system/ipc/sandbox-messages.ts'
import { PcscError } from './pcsc/codes.ts'
import { type Context, type Pcsc, plugAndPlay } from './pcsc/pcsc.ts'

/** A wait for changes. It misses a reader that was connected after the listing and before the wait began. */
export interface PendingWait {
  /** The connection that waits. */
  readonly context: Context
  /** The readers that were listed before it. */
  readonly names: readonly string[]
}

export interface MonitorHooks {
  /** Called in each round, also when nothing has changed. */
  onState(state: ReaderState): void
  /** The calls that follow have to return at once. */
  onShortCalls(): void
  /** One call or sleep follows that lasts this long at most, in milliseconds. */
  onWait(forMs: number, pending?: PendingWait): void
  /** Sleeps this thread. */
  sleep(ms: number): void
  /** Milliseconds on a clock that never goes back. */
  now(): number
}

/** How long a wait lasts, in milliseconds. */
const waitMs = {
  watching: 60_000,
  // Without the pseudo reader, or with more readers than one wait takes, the list has to be read again.
  polling: 1000,
}

/** So many waits may end at once without a change: that is a program at work with a card. */
const spareWakeups = 20
/** Another one is spared for each time of this length; without one a round rests for it, in milliseconds. */
const restMs = 200

interface KnownReader {
  readonly state: number
  readonly atr?: string
}

/** Never returns. Throws a PcscError when the card service fails. */
export function monitorReaders(pcsc: Pcsc, context: Context, hooks: MonitorHooks): never {
  const throttle = throttleSpuriousWakeups(hooks)
  let knowsPlugAndPlay = false
  let pseudoState = 0
  let known: ReadonlyMap<string, KnownReader> = new Map()
  for (;;) {
    hooks.onShortCalls()
    knowsPlugAndPlay ||= supportsPlugAndPlay(pcsc, context)
    const names = pcsc.listReaders(context)
    known = readNewReaders(pcsc, context, names, known)
    const readers = names.map((name) => toConnectedReader(name, known.get(name)))
    hooks.onState({ kind: 'up', readers })
    throttle(JSON.stringify(readers))

    // One wait takes only so many readers; those that are left out are read again in each round.
    known = new Map([...known].slice(0, pcsc.maxStates))
    const waitable = [...known].map(([name, { state }]) => ({ name, state }))
    // pcsc-lite, where a wait may have no room for the pseudo reader, then has none for another reader either.
    const pseudo = knowsPlugAndPlay && waitable.length < pcsc.maxStates
    const awaited = pseudo ? [{ name: plugAndPlay, state: pseudoState }, ...waitable] : waitable
    const poll = !knowsPlugAndPlay || waitable.length < names.length
    const forMs = poll ? waitMs.polling : waitMs.watching
    hooks.onWait(forMs, pseudo ? { context, names } : undefined)
    if (awaited.length === 0) {
      hooks.sleep(forMs)
      continue
    }
    const changes = tryReaderCall(() => pcsc.getStatusChange(context, forMs, awaited))
    // A reader was unplugged between the listing and the wait, or refuses: the next round reads all of them again.
    if (changes === 'refused') known = new Map()
    else if (changes) {
      const next = new Map<string, KnownReader>()
      for (const { name, state, gone, atr } of changes) {
        if (name === plugAndPlay) pseudoState = state
        else if (!gone) next.set(name, { state, ...(atr !== undefined && { atr }) })
      }
      known = next
    }
  }
}

const toConnectedReader = (name: string, known: KnownReader | undefined): ConnectedReader =>
  known?.atr === undefined ? { name } : { name, atr: known.atr }

/**
 * The result is called in each round with what was read. It sleeps a little when waits keep ending early without a change,
 * so that a card service that is out of order does not keep the processor busy.
 */
function throttleSpuriousWakeups(hooks: MonitorHooks): (state: string) => void {
  let last: string | undefined
  let from = hooks.now()
  let spare = spareWakeups
  return (state) => {
    const gained = (hooks.now() - from) / restMs
    spare = state === last ? Math.min(spareWakeups, spare + gained) : spareWakeups
    last = state
    if (spare >= 1) spare -= 1
    else {
      hooks.onWait(restMs)
      hooks.sleep(restMs)
    }
    from = hooks.now()
  }
}

/** Reads the state of the readers that are not known yet; a reader that refuses is left out. */
function readNewReaders(
  pcsc: Pcsc,
  context: Context,
  names: readonly string[],
  before: ReadonlyMap<string, KnownReader>,
): Map<string, KnownReader> {
  const readers = new Map<string, KnownReader>()
  for (const name of names) {
    const known = before.get(name)
    if (known) {
      readers.set(name, known)
      continue
    }
    const found = tryReaderCall(() => pcsc.getStatusChange(context, 0, [{ name, state: 0 }]))
    const status = found === 'refused' ? undefined : found?.[0]
    if (!status || status.gone) continue
    const { state, atr } = status
    readers.set(name, { state, ...(atr !== undefined && { atr }) })
  }
  return readers
}

/** Windows and pcsc-lite know the pseudo reader; macOS reports it as unknown, by a code or a state. */
function supportsPlugAndPlay(pcsc: Pcsc, context: Context): boolean {
  const found = tryReaderCall(() =>
    pcsc.getStatusChange(context, 0, [{ name: plugAndPlay, state: 0 }]),
  )
  return found !== 'refused' && found?.[0]?.gone !== true
}

/** Codes that concern a reader, a card or one wait, and not the card service. */
const readerCodes: ReadonlySet<string> = new Set([
  'SCARD_E_CANCELLED',
  'SCARD_E_CARD_UNSUPPORTED',
  'SCARD_E_INVALID_ATR',
  'SCARD_E_NOT_READY',
  'SCARD_E_NO_READERS_AVAILABLE',
  'SCARD_E_NO_SMARTCARD',
  'SCARD_E_PROTO_MISMATCH',
  'SCARD_E_READER_UNAVAILABLE',
  'SCARD_E_READER_UNSUPPORTED',
  'SCARD_E_SHARING_VIOLATION',
  'SCARD_E_UNKNOWN_CARD',
  'SCARD_E_UNKNOWN_READER',
  'SCARD_W_REMOVED_CARD',
  'SCARD_W_RESET_CARD',
  'SCARD_W_UNPOWERED_CARD',
  'SCARD_W_UNRESPONSIVE_CARD',
  'SCARD_W_UNSUPPORTED_CARD',
])

function tryReaderCall<T>(act: () => T): T | 'refused' {
  try {
    return act()
  } catch (error) {
    if (error instanceof PcscError && readerCodes.has(error.code)) return 'refused'
    throw error
  }
}
