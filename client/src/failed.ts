/** The failures of a call that no connector spoke of. */
import { CardwireError, type CardwireFailure } from './error.ts'

type Unanswered = Extract<CardwireFailure, { code: '900' }>['reason']

export const failed = (reason: Unanswered, description: string, cause?: unknown): CardwireError =>
  new CardwireError({ code: '900', reason }, description, { cause })

export const calledOff = 'Cannot go on: the page called it off'
