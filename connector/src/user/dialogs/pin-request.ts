/** How a PIN is asked of the user: the request, and the PIN or the reason why there is none. No secret is in either type. */
import type { ProblemName } from '@cardwire/protocol/problem'
import type { PinRule } from '../../sandbox/card-modules/pin-rule.ts'

/** What the PIN is for. `check` only verifies it: a signature will ask again. */
export type PinAct = 'check' | 'authenticate' | 'sign'

/** How long a PIN is kept. */
export interface PinKeeping {
  /** How many signatures it makes at most. */
  readonly signatures: number
  /** So long after the last of them, in milliseconds. */
  readonly idleMs: number
}

/** Why the user has to agree to an attempt before it is made. */
export interface AttemptConfirmation {
  /** `last`: a wrong PIN blocks the card; `refused`: the card refused the PIN before this one; `early`: see `AskSecret`. */
  readonly reason: 'last' | 'refused' | 'early'
  /** undefined: the card does not report it. */
  readonly triesLeft: number | undefined
}

export interface PinRequest {
  /** The origin of the page, serialized; undefined: a program of this user asks. */
  readonly origin: string | undefined
  readonly act: PinAct
  /** The name of the reader. */
  readonly reader: string
  /** The kind of card, in English, or the label of a token. */
  readonly card: string
  /** The id of the module whose kind of card it is; undefined for a token. */
  readonly module?: string | undefined
  /** undefined: the card does not tell. */
  readonly triesLeft: number | undefined
  readonly pin: PinRule
  /** Asked when the dialog opens, because attempts are made while it waits; absent: no attempt has to be confirmed. */
  readonly findConfirmation?: () => AttemptConfirmation | undefined
  /** How many signatures this PIN makes; absent: one. */
  readonly count?: number
  /** The PIN is kept for further signatures of this page; absent: it is not. */
  readonly kept?: PinKeeping
  /** As the page wishes it, a tag of BCP 47; undefined: the user's own. */
  readonly language: string | undefined
  /** Until the whole request has to have an answer, waiting for other dialogs included. */
  readonly timeoutMs: number
  /** Closes the dialog: the card, the page or the consent has gone. */
  readonly signal: AbortSignal
}

/** Why there is no PIN, as the problem that the page gets. An aborted request counts as `pin-cancelled`. */
export interface PinRefusal {
  readonly problem: Extract<
    ProblemName,
    'pin-cancelled' | 'pin-timeout' | 'pin-busy' | 'pin-invalid' | 'dialog-unavailable'
  >
  /** A sentence for the page. */
  readonly reason: string
  /** Seconds until the user can be asked again. */
  readonly retryAfterS?: number
}

/** Asks the user whether an attempt may be made with a PIN that the page sent. `undefined`: it may. */
export type ConfirmAttempt = (
  request: PinRequest,
  confirmation: AttemptConfirmation,
) => Promise<PinRefusal | undefined>

/**
 * Does an operation for which the user types the PIN at the reader's own pad, with a notice that says so; `signal` ends it.
 * Throws a Problem.
 */
export type UsePad = <T>(
  request: PinRequest,
  operation: (signal: AbortSignal) => Promise<T>,
) => Promise<T>

/** Asks the user. The caller overwrites the bytes of the PIN as soon as they are sent. */
export type RequestPin = (request: PinRequest) => Promise<Uint8Array | PinRefusal>
