/** Which readers have a key pad of their own: asked once per reader, and remembered while it is there. */
import type { Answer } from '../sandbox/messages.ts'
import type { NoAnswer } from './child.ts'
import type { Clock } from './clock.ts'

/** FEATURE_VERIFY_PIN_START and FEATURE_VERIFY_PIN_DIRECT (PC/SC part 10 §2.2): the reader takes the PIN itself. */
const pinpadFeatures: ReadonlySet<number> = new Set([0x01, 0x06])

/** "Not now", as against "no": somebody else has the reader, or reader or service are on their way in or out. */
const notNow: ReadonlySet<string> = new Set([
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
  // The person's session has become the active one by the next time, perhaps.
  'SCARD_W_SECURITY_VIOLATION',
  'SCARD_W_RESET_CARD',
  'SCARD_W_REMOVED_CARD',
  'SCARD_W_UNPOWERED_CARD',
  'SCARD_W_UNRESPONSIVE_CARD',
])

/** What an answer says: yes, no, or to ask again. A reader that refuses the question for good has no key pad. */
export function judgePinpad(answer: Answer): boolean | 'not-now' {
  if ('features' in answer) return answer.features.some((tag) => pinpadFeatures.has(tag))
  return notNow.has(answer.code) ? 'not-now' : false
}

/** How long to wait before asking again, in milliseconds: doubled from the first to the most. */
const againMs = {
  busy: { first: 1000, most: 30_000 },
  /** The question took the sandbox with it. */
  fatal: { first: 60_000, most: 3_600_000 },
}
/** How long a new reader is kept back for its answer, in milliseconds: pcscd needs 2, a card that is starting up 1000. */
const patienceMs = 250

export interface Pinpads {
  /** Tells which readers there are now: new ones are asked, others forgotten. */
  present(names: readonly string[]): void
  /** Undefined as long as it is worth waiting for the answer; false when it is not known. */
  of(name: string): boolean | undefined
  stop(): void
}

interface Entry {
  pinpad: boolean | undefined
  /** A question is on its way, or will be asked later. */
  asked: boolean
  /** Questions that brought neither yes nor no. */
  attempts: number
  cancelPatience: () => void
  cancelAgain: () => void
}

/** `settled` is called when `of` answers something else than before. */
export function rememberPinpads(options: {
  readonly ask: (reader: string) => Promise<Answer | NoAnswer>
  readonly settled: () => void
  readonly clock: Clock
}): Pinpads {
  const { clock } = options
  const entries = new Map<string, Entry>()
  // One at a time: a question that hangs or kills the sandbox is then known to be the one that did.
  let line: Promise<unknown> = Promise.resolve()

  const settle = (entry: Entry, pinpad: boolean) => {
    entry.cancelPatience()
    if (entry.pinpad === pinpad) return
    entry.pinpad = pinpad
    options.settled()
  }

  const question = (name: string, entry: Entry) => {
    entry.asked = true
    line = line.then(async () => {
      if (entries.get(name) !== entry) return
      const answer = await options.ask(name)
      if (entries.get(name) === entry) heard(name, entry, answer)
    })
  }

  const heard = (name: string, entry: Entry, answer: Answer | NoAnswer) => {
    if (answer === 'unasked' || (answer === 'gone' && entry.attempts === 0)) {
      // The next sandbox is asked; only once, in case it was the question that ended this one.
      entry.asked = false
      if (answer === 'gone') entry.attempts += 1
      return
    }
    const pinpad = typeof answer === 'string' ? 'not-now' : judgePinpad(answer)
    if (pinpad === 'not-now') {
      const { first, most } = againMs[typeof answer === 'string' ? 'fatal' : 'busy']
      const delay = Math.min(first * 2 ** entry.attempts, most)
      entry.attempts += 1
      entry.cancelAgain = clock.after(delay, () => question(name, entry))
    }
    settle(entry, pinpad === true)
  }

  const forget = ({ cancelPatience, cancelAgain }: Entry) => {
    cancelPatience()
    cancelAgain()
  }

  return {
    of: (name) => entries.get(name)?.pinpad,
    present(names) {
      const now = new Set(names)
      for (const [name, entry] of entries) {
        if (now.has(name)) continue
        forget(entry)
        entries.delete(name)
      }
      for (const name of now) {
        const entry = entries.get(name) ?? {
          pinpad: undefined,
          asked: false,
          attempts: 0,
          cancelPatience: nothing,
          cancelAgain: nothing,
        }
        if (!entries.has(name)) {
          entries.set(name, entry)
          entry.cancelPatience = clock.after(patienceMs, () => settle(entry, false))
        }
        if (!entry.asked) question(name, entry)
      }
    },
    stop() {
      for (const entry of entries.values()) forget(entry)
      entries.clear()
    },
  }
}

const nothing = () => undefined
