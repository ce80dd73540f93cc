/** The error that the library throws: a code of the specification, a reason for the page, a description for developers. */
import type { ConnectorProblem } from './connector-problem.ts'
import type { CardwireClient } from './core-service.ts'
import { type CardwireErrorKind, type RefusalKind, toKind } from './kind.ts'
import { type ConsentReason, getWireCode, type Reason } from './reason.ts'

/** The kinds, reasons and codes that belong together. `switch (error.kind)` narrows them. */
export type CardwireFailure =
  /** Consent is required: show a prompt, and call `client.getConsent` with a new code word. */
  | {
      readonly kind: ConsentReason
      readonly code: '500'
      readonly reason: ConsentReason
      readonly client: CardwireClient
    }
  /** The code word itself is refused: make a new one. */
  | {
      readonly kind: 'code-word-refused'
      readonly code: '115'
      readonly reason: 'code-word-refused'
      readonly client: CardwireClient
    }
  /** The initialization failed: show what `describe` says. */
  | {
      readonly kind: Exclude<CardwireErrorKind, ConsentReason | 'code-word-refused' | 'timeout'>
      readonly code: '199'
      readonly reason: Exclude<Reason, ConsentReason | 'code-word-refused' | 'timeout'>
    }
  /** After the initialization: the connector responded, and refused. */
  | {
      readonly kind: RefusalKind | 'token-missing' | 'token-expired' | 'token-refused'
      readonly code: '100'
      readonly reason: 'refused' | 'token-missing' | 'token-expired' | 'token-refused'
    }
  /** The argument of `updateJWT` is not a token. */
  | { readonly kind: 'token-missing'; readonly code: '121'; readonly reason: 'token-missing' }
  /** After the initialization: there was no response, or an unusable one. */
  | {
      readonly kind: CallReason
      readonly code: '900'
      readonly reason: CallReason
    }

/** The reasons of a call that failed without a problem of the connector. */
type CallReason = Exclude<
  Reason,
  ConsentReason | 'code-word-refused' | 'refused' | `token-${string}`
>

/** What an error is made of; its kind follows. */
export type Failure<F = CardwireFailure> = F extends unknown ? Omit<F, 'kind'> : never

/** What an error may carry beyond code, reason and description. */
interface Details {
  readonly cause?: unknown
  readonly wireCode?: string | undefined
  readonly problem?: ConnectorProblem | undefined
  readonly triesLeft?: number | undefined
  readonly alsoPossible?: readonly CardwireErrorKind[]
}

/**
 * What every call rejects with. `kind` says what happened, as one code for each situation: decide by it what your page does. `describe`
 * returns the message for users, and `description` is for developers.
 */
export class CardwireError extends Error {
  override readonly name = 'CardwireError'
  /** What happened, as one code for each situation. */
  readonly kind: CardwireErrorKind
  /** What failed and why, for developers and logs. */
  readonly description: string
  /** The client to ask for consent with. Present if the user's consent is what is missing. */
  readonly client?: CardwireClient
  /** With the kind `pin-wrong`: the PIN attempts left, if the card reports them. */
  readonly triesLeft: number | undefined
  /** What a page cannot distinguish from `kind`, because the browser hides the difference. */
  readonly alsoPossible: readonly CardwireErrorKind[]
  /** The code of the legacy library, kept so that you can change over. New pages use `kind`. */
  readonly code: CardwireFailure['code']
  /** As `kind`, but `refused` for every problem that the connector responded with. */
  readonly reason: Reason
  /** The name of the problem that the connector responded with. Finer than `kind`, for logs. */
  readonly problem: ConnectorProblem | undefined
  /** The six-digit code that legacy clients have for this. */
  readonly wireCode: string

  constructor(failure: Failure, description: string, details: Details = {}) {
    super(description, details.cause === undefined ? {} : { cause: details.cause })
    this.code = failure.code
    this.reason = failure.reason
    this.description = description
    this.wireCode = details.wireCode ?? getWireCode(failure.code, failure.reason)
    this.problem = details.problem
    this.kind = toKind(failure.reason, details.problem, this.wireCode)
    this.triesLeft = details.triesLeft
    this.alsoPossible = details.alsoPossible ?? []
    if ('client' in failure) this.client = failure.client
  }

  /** Whether an error is a CardwireError, even from another copy of the library in the page. */
  static is(error: unknown): error is CardwireError & CardwireFailure {
    return error instanceof Error && error.name === 'CardwireError' && 'reason' in error
  }
}

/** The same failure, with the code that it has during the initialization. */
export function toInitializationError(thrown: unknown): CardwireError {
  const error = toCardwireError(thrown)
  if (error.code !== '100' && error.code !== '900') return error
  const { description, problem, alsoPossible, cause } = error
  // Everything that an initialization calls, a connector answers in a few milliseconds.
  const reason = error.reason === 'timeout' ? 'not-responding' : error.reason
  return new CardwireError({ code: '199', reason }, description, {
    cause,
    problem,
    alsoPossible,
    wireCode: reason === 'refused' ? error.wireCode : undefined,
  })
}

export const createCallError = (
  reason: CallReason,
  description: string,
  cause?: unknown,
): CardwireError => new CardwireError({ code: '900', reason }, description, { cause })

/** Every call rejects with an error of the library: another one can only be of what was sent or received. */
export function toCardwireError(error: unknown): CardwireError & CardwireFailure {
  if (CardwireError.is(error)) return error
  const description = 'Cannot read the response of the connector'
  return createCallError('answer-malformed', description, error) as CardwireError & CardwireFailure
}

export const abortedMessage = 'Cannot continue: the page aborted the call'
