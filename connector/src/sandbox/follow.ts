/** Follows the readers and cards of one connection to the card service, until a call says that it is no use any more. */
import { PcscError } from '../pcsc/codes.ts'
import { type Context, type Pcsc, plugAndPlay } from '../pcsc/pcsc.ts'
import type { SeenReader, Sight } from './messages.ts'

/** What a wait cannot see: a reader that came between the listing and its beginning. */
export interface Blind {
  /** Whose wait it is. */
  readonly context: Context
  /** The readers that were listed before it. */
  readonly names: readonly string[]
}

export interface Watcher {
  /** Called at every look, also when nothing has changed. */
  see(sight: Sight): void
  /** Calls follow that have to return at once. */
  busy(): void
  /** One call or sleep follows that lasts so many milliseconds at the most. */
  waits(forMs: number, blind?: Blind): void
  /** Sleeps this thread. */
  pause(ms: number): void
  /** Milliseconds on a clock that never goes back. */
  now(): number
}

/** How long a wait lasts, in milliseconds. */
const waits = {
  watching: 60_000,
  // Without the pseudo reader, or with a reader that cannot be waited for, somebody has to look.
  polling: 1000,
}

/** A wait that ends sooner has not waited, in milliseconds. */
const shortMs = 50
/** So many of them in a row that bring no news are somebody at work with a card; more of them get a rest each. */
const most = 20
const restMs = 200

interface Seen {
  readonly state: number
  readonly atr?: string
}

/** Never returns. Throws a PcscError that speaks of the card service. */
export function follow(pcsc: Pcsc, context: Context, watcher: Watcher): never {
  const rested = restless(watcher)
  let knowsPlugAndPlay = false
  let pseudoState = 0
  let seen: ReadonlyMap<string, Seen> = new Map()
  for (;;) {
    watcher.busy()
    knowsPlugAndPlay ||= supportsPlugAndPlay(pcsc, context)
    const names = pcsc.listReaders(context)
    seen = look(pcsc, context, names, seen)
    const readers = names.map((name) => withCard(name, seen.get(name)))
    watcher.see({ kind: 'up', readers })
    rested(JSON.stringify(readers))

    // Whoever there is no room for is looked at again and again.
    seen = new Map([...seen].slice(0, pcsc.mostStates))
    const known = [...seen].map(([name, { state }]) => ({ name, state }))
    // pcsc-lite, where a wait may have no room for the pseudo reader, then has none for another reader either.
    const pseudo = knowsPlugAndPlay && known.length < pcsc.mostStates
    const awaited = pseudo ? [{ name: plugAndPlay, state: pseudoState }, ...known] : known
    const poll = !knowsPlugAndPlay || known.length < names.length
    const forMs = poll ? waits.polling : waits.watching
    watcher.waits(forMs, pseudo ? { context, names } : undefined)
    if (awaited.length === 0) {
      watcher.pause(forMs)
      continue
    }
    const changes = aboutReaders(() => pcsc.getStatusChange(context, forMs, awaited))
    // Unplugged between the listing and the wait, or no longer to be asked: everything is looked at again.
    if (changes === 'refused') seen = new Map()
    else if (changes) {
      const next = new Map<string, Seen>()
      for (const { name, state, gone, atr } of changes) {
        if (name === plugAndPlay) pseudoState = state
        else if (!gone) next.set(name, { state, ...(atr !== undefined && { atr }) })
      }
      seen = next
    }
  }
}

const withCard = (name: string, seen: Seen | undefined): SeenReader =>
  seen?.atr === undefined ? { name } : { name, atr: seen.atr }

/**
 * Called at each look with what it saw; sleeps a little when waits end at once and bring nothing, over and over, so
 * that a card service at odds with itself does not keep the processor busy.
 */
function restless(watcher: Watcher): (told: string) => void {
  let last: string | undefined
  let from = watcher.now()
  let count = 0
  return (told) => {
    count = told === last && watcher.now() - from < shortMs ? count + 1 : 0
    last = told
    if (count > most) {
      watcher.waits(restMs)
      watcher.pause(restMs)
    }
    from = watcher.now()
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
    const found = aboutReaders(() => pcsc.getStatusChange(context, 0, [{ name, state: 0 }]))
    const status = found === 'refused' ? undefined : found?.[0]
    if (!status || status.gone) continue
    const { state, atr } = status
    seen.set(name, { state, ...(atr !== undefined && { atr }) })
  }
  return seen
}

/** Windows and pcsc-lite know the pseudo reader; macOS calls it unknown, in a code or in a state. */
function supportsPlugAndPlay(pcsc: Pcsc, context: Context): boolean {
  const found = aboutReaders(() =>
    pcsc.getStatusChange(context, 0, [{ name: plugAndPlay, state: 0 }]),
  )
  return found !== 'refused' && found?.[0]?.gone !== true
}

/** Codes that speak of a reader, of a card or of this one wait, and not of the card service. */
const notTheService: ReadonlySet<string> = new Set([
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

function aboutReaders<T>(act: () => T): T | 'refused' {
  try {
    return act()
  } catch (error) {
    if (error instanceof PcscError && notTheService.has(error.code)) return 'refused'
    throw error
  }
}
