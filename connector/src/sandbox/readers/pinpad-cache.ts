/** Which readers have a key pad of their own: queried once per reader, and remembered while it is connected. */

import type { Clock } from '../../system/clock.ts'
import type { FeatureReply } from '../../system/ipc/sandbox-messages.ts'
import type { NoReply } from './pending-queries.ts'

/** FEATURE_VERIFY_PIN_START and FEATURE_VERIFY_PIN_DIRECT (PC/SC part 10 §2.2): the reader takes the PIN itself. */
const pinpadFeatures: ReadonlySet<number> = new Set([0x01, 0x06])

/** Codes after which a query is repeated: another program uses the reader, or reader or service come or go. */
const transientCodes: ReadonlySet<string> = new Set([
  'SCARD_E_SHARING_VIOLATION',
  'SCARD_E_NOT_READY',
  'SCARD_E_SERVER_TOO_BUSY',
  'SCARD_E_READER_UNAVAILABLE',
  'SCARD_E_UNKNOWN_READER',
  'SCARD_E_NO_READERS_AVAILABLE',
  'SCARD_E_NO_SMARTCARD',
  'SCARD_E_NO_SERVICE',
  'SCARD_E_SERVICE_STOPPED',
  'SCARD_E_INVALID_HANDLE',
  'SCARD_E_TIMEOUT',
  'SCARD_E_CANCELLED',
  'SCARD_E_SYSTEM_CANCELLED',
  'SCARD_E_NO_MEMORY',
  'SCARD_E_COMM_DATA_LOST',
  'SCARD_F_COMM_ERROR',
  'SCARD_F_INTERNAL_ERROR',
  'SCARD_F_WAITED_TOO_LONG',
  'SCARD_F_UNKNOWN_ERROR',
  'SCARD_P_SHUTDOWN',
  // Passes when the user's session becomes the active one.
  'SCARD_W_SECURITY_VIOLATION',
  'SCARD_W_RESET_CARD',
  'SCARD_W_REMOVED_CARD',
  'SCARD_W_UNPOWERED_CARD',
  'SCARD_W_UNRESPONSIVE_CARD',
])

/** Whether the reply names a key pad; `unknown`: query again. A reader that refuses the query for good has none. */
export function hasPinpad(reply: FeatureReply): boolean | 'unknown' {
  if ('features' in reply) return reply.features.some((tag) => pinpadFeatures.has(tag))
  return transientCodes.has(reply.code) ? 'unknown' : false
}

/** How long to wait before the next query, in milliseconds: doubled from the first to the maximum. */
const retryMs = {
  busy: { first: 1000, max: 30_000 },
  /** The query ended the sandbox. */
  fatal: { first: 60_000, max: 3_600_000 },
}
/** How long a new reader is held back until its reply, in milliseconds: pcscd needs 2, a card that is starting up 1000. */
const defaultHoldBackMs = 250

export interface PinpadCache {
  /** Sets the readers that are connected: new ones are queried, others forgotten. */
  setReaders(names: readonly string[]): void
  /** Undefined while a new reader is held back; false when it is not known. */
  get(name: string): boolean | undefined
  stop(): void
}

interface Entry {
  pinpad: boolean | undefined
  /** A query is on its way, or scheduled. */
  isQueried: boolean
  /** Queries that were sent. */
  attempts: number
  cancelHoldBack: () => void
  cancelRetry: () => void
}

/** What a reply says about the reader, and after how many milliseconds the query is repeated; or that the next sandbox is queried. */
type Verdict = 'next-sandbox' | { readonly pinpad: boolean; readonly retryMs?: number }

/** `attempts`: the queries that were sent before. */
function judgeReply(reply: FeatureReply | NoReply, attempts: number): Verdict {
  // Only once: this query may have ended its sandbox.
  if (reply === 'not-sent' || (reply === 'ended' && attempts === 0)) return 'next-sandbox'
  const pinpad = typeof reply === 'string' ? 'unknown' : hasPinpad(reply)
  if (pinpad !== 'unknown') return { pinpad }
  const { first, max } = retryMs[typeof reply === 'string' ? 'fatal' : 'busy']
  return { pinpad: false, retryMs: Math.min(first * 2 ** attempts, max) }
}

export type QueryFeatures = (reader: string) => Promise<FeatureReply | NoReply>

export interface PinpadCacheOptions {
  readonly query: QueryFeatures
  /** Called when `get` returns something else than before. */
  readonly onChange: () => void
  readonly clock: Clock
  readonly holdBackMs?: number | undefined
}

export function createPinpadCache(options: PinpadCacheOptions): PinpadCache {
  const { clock, holdBackMs = defaultHoldBackMs } = options
  const entries = new Map<string, Entry>()
  // One at a time, so that it is known which query hangs or kills the sandbox.
  let queue: Promise<unknown> = Promise.resolve()

  const setPinpad = (entry: Entry, pinpad: boolean) => {
    entry.cancelHoldBack()
    if (entry.pinpad === pinpad) return
    entry.pinpad = pinpad
    options.onChange()
  }

  const enqueueQuery = (name: string, entry: Entry) => {
    entry.isQueried = true
    queue = queue.then(async () => {
      if (entries.get(name) !== entry) return
      const reply = await options.query(name)
      if (entries.get(name) === entry) onReply(name, entry, reply)
    })
  }

  const onReply = (name: string, entry: Entry, reply: FeatureReply | NoReply) => {
    const verdict = judgeReply(reply, entry.attempts)
    if (reply !== 'not-sent') entry.attempts += 1
    if (verdict === 'next-sandbox') {
      entry.isQueried = false
      return
    }
    if (verdict.retryMs !== undefined) {
      entry.cancelRetry = clock.after(verdict.retryMs, () => enqueueQuery(name, entry))
    }
    setPinpad(entry, verdict.pinpad)
  }

  return {
    get: (name) => entries.get(name)?.pinpad,
    setReaders(names) {
      const now = new Set(names)
      for (const [name, entry] of entries) {
        if (now.has(name)) continue
        forget(entry)
        entries.delete(name)
      }
      for (const name of now) {
        const entry = entries.get(name) ?? createEntry()
        if (!entries.has(name)) {
          entries.set(name, entry)
          entry.cancelHoldBack = clock.after(holdBackMs, () => setPinpad(entry, false))
        }
        if (!entry.isQueried) enqueueQuery(name, entry)
      }
    },
    stop() {
      for (const entry of entries.values()) forget(entry)
      entries.clear()
    },
  }
}

const createEntry = (): Entry => ({
  pinpad: undefined,
  isQueried: false,
  attempts: 0,
  cancelHoldBack: ignore,
  cancelRetry: ignore,
})

function forget({ cancelHoldBack, cancelRetry }: Entry): void {
  cancelHoldBack()
  cancelRetry()
}

const ignore = () => undefined
