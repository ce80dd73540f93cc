/** The one error that the library throws: a code of the specification, a reason to act on, a sentence for the person. */
import type { CardwireClient } from './core-service.ts'
import type { ProblemName } from './protocol/problem.ts'
import { type ConsentReason, type Reason, reasons } from './reason.ts'

/** What differs from code to code; `switch (error.code)` tells the compiler, too. */
export type CardwireFailure =
  /** Consent is required: show a prompt, and call `client.getConsent` with a new code word. */
  | {
      readonly code: '500'
      readonly reason: ConsentReason
      readonly client: CardwireClient
    }
  /** The code word itself is refused: make a new one. */
  | {
      readonly code: '115'
      readonly reason: 'code-word-refused'
      readonly client: CardwireClient
    }
  /** The initialisation failed: show `description`. */
  | { readonly code: '199'; readonly reason: Exclude<Reason, ConsentReason | 'code-word-refused'> }
  /** Later: the connector answered, and said no. */
  | {
      readonly code: '100'
      readonly reason: 'refused' | 'token-missing' | 'token-expired' | 'token-refused'
    }
  /** `updateJWT` was given nothing. */
  | { readonly code: '121'; readonly reason: 'token-missing' }
  /** Later: there was no answer, or none that counts. */
  | {
      readonly code: '900'
      readonly reason: Exclude<
        Reason,
        ConsentReason | 'code-word-refused' | 'refused' | `token-${string}`
      >
    }

/** What an error may say beyond that. */
interface Details {
  readonly cause?: unknown
  readonly wireCode?: string | undefined
  readonly problem?: ProblemName | undefined
  readonly alsoPossible?: readonly Reason[]
}

export class CardwireError extends Error {
  override readonly name = 'CardwireError'
  readonly code: CardwireFailure['code']
  readonly reason: Reason
  /** A sentence for the person in front of the page. */
  readonly description: string
  /** The six digits that deployed clients know this by. */
  readonly wireCode: string
  /** The connector's name for it, where the connector answered with a problem. */
  readonly problem: ProblemName | undefined
  /** Reasons that no page could tell from this one: a browser hides the difference. */
  readonly alsoPossible: readonly Reason[]
  /** Where there is one to go on with: with the codes 500 and 115. */
  readonly client?: CardwireClient

  constructor(failure: CardwireFailure, description: string, details: Details = {}) {
    super(description, details.cause === undefined ? {} : { cause: details.cause })
    this.code = failure.code
    this.reason = failure.reason
    this.description = description
    this.wireCode = details.wireCode ?? wireCode(failure)
    this.problem = details.problem
    this.alsoPossible = details.alsoPossible ?? []
    if ('client' in failure) this.client = failure.client
  }

  /** Whether something thrown is ours, also when two copies of the library are in the page. */
  static is(error: unknown): error is CardwireError & CardwireFailure {
    return error instanceof Error && error.name === 'CardwireError' && 'reason' in error
  }
}

/** A deployed client has one code for every initialisation that found no connector. */
function wireCode({ code, reason }: CardwireFailure): string {
  return code === '199' && reasons[reason] === '000000' ? '112999' : reasons[reason]
}

/** The same failure, met while initialising. */
export function whileInitialising(error: unknown): unknown {
  if (!CardwireError.is(error)) return error
  if (error.code !== '100' && error.code !== '900') return error
  const { reason, description, problem, alsoPossible, cause } = error
  const wire = reason === 'refused' ? error.wireCode : undefined
  return new CardwireError({ code: '199', reason }, description, {
    cause,
    problem,
    alsoPossible,
    wireCode: wire,
  })
}
