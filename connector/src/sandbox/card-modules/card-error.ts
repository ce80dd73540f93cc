/** A failure of a card or of what it was asked for, as the problem that the caller gets. */
import type { ProblemName } from '@cardwire/protocol/problem'

export type CardProblem = Extract<
  ProblemName,
  | 'card-absent'
  | 'card-changed'
  | 'card-unsupported'
  | 'card-mute'
  | 'card-busy'
  | 'grant-missing'
  | 'key-unknown'
  | 'key-unsupported'
  | 'pin-wrong'
  | 'pin-blocked'
  | 'pin-invalid'
  | 'pin-cancelled'
  | 'pin-timeout'
  | 'pcsc-unavailable'
>

/** The message is the sentence for the caller; no byte that a card answered is in it. */
export class CardError extends Error {
  readonly problem: CardProblem
  readonly triesLeft: number | undefined

  constructor(problem: CardProblem, message: string, triesLeft?: number) {
    super(message)
    this.problem = problem
    this.triesLeft = triesLeft
  }
}

/** The PIN has a form that no PIN of the card has, so it was not sent: no attempt was made with it. */
export class UnsentPinError extends CardError {
  constructor(message: string) {
    super('pin-invalid', message)
  }
}
