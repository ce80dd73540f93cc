/** What a refusal of the connector means to a page. */
import { CardwireError } from './error.ts'
import type { Refusal } from './protocol/call.ts'
import { claimsOf } from './token.ts'

/** `now` is the browser's clock, which may be wrong: it chooses a sentence, never whether the connector is asked. */
export function refusedBy(
  { status, code, description, problem }: Refusal,
  jwt: string | undefined,
  now: number,
): CardwireError {
  if (status === 401) {
    const reason = tokenReason(jwt, now)
    return new CardwireError({ code: '100', reason }, sentences[reason], { problem })
  }
  return new CardwireError({ code: '100', reason: 'refused' }, description, {
    problem,
    wireCode: code,
  })
}

const sentences = {
  'token-missing': 'Cannot use the connector: the page has no token',
  'token-expired': 'Cannot use the connector: the token of the page has expired, reload the page',
  'token-refused': 'Cannot use the connector: it does not accept the token of the page',
} as const

function tokenReason(jwt: string | undefined, now: number): keyof typeof sentences {
  if (jwt === undefined) return 'token-missing'
  const { exp } = claimsOf(jwt)
  return typeof exp === 'number' && exp * 1000 <= now ? 'token-expired' : 'token-refused'
}

/** Whether the connector says that the person has not consented, or no more. */
export const needsConsent = (error: unknown): error is CardwireError =>
  CardwireError.is(error) &&
  error.reason === 'refused' &&
  (error.problem === 'consent-required' || error.wireCode === '814501')
