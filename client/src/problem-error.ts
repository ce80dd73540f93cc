/** What a problem that the connector answers with means to a page. */

import type { ProblemDetails } from '@cardwire/protocol/call'
import { readClaims } from '@cardwire/protocol/claims'
import type { ConnectorProblem } from './connector-problem.ts'
import { CardwireError } from './error.ts'

/** `now` is the browser's clock, which may be wrong: it chooses a sentence, never whether the connector is called. */
export function toProblemError(
  { status, code, description, problem: name, triesLeft }: ProblemDetails,
  jwt: string | undefined,
  now: number,
): CardwireError {
  const problem = name as ConnectorProblem | undefined
  if (status === 401) {
    const reason = getTokenReason(jwt, now)
    return new CardwireError({ code: '100', reason }, tokenMessages[reason], { problem })
  }
  return new CardwireError({ code: '100', reason: 'refused' }, description, {
    problem,
    triesLeft,
    wireCode: code,
  })
}

const tokenMessages = {
  'token-missing': 'Cannot use the connector: the page has no token',
  'token-expired': 'Cannot use the connector: the token of the page has expired; reload the page',
  'token-refused': 'Cannot use the connector: it does not accept the token of the page',
} as const

function getTokenReason(jwt: string | undefined, now: number): keyof typeof tokenMessages {
  if (jwt === undefined) return 'token-missing'
  const { exp } = readClaims(jwt)
  return typeof exp === 'number' && exp * 1000 <= now ? 'token-expired' : 'token-refused'
}

/** Whether the connector answered that the user has not consented, or that the consent has ended. */
export const isConsentRequired = (error: unknown): error is CardwireError =>
  CardwireError.is(error) &&
  error.reason === 'refused' &&
  (error.problem === 'consent-required' || error.wireCode === '814501')
