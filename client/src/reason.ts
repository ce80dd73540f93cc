/** The reasons of failures, for a page to act on, each with the code that legacy clients have for it. */

/** What to do for each reason is in the table of the README. */
export const reasons = {
  'not-running': '112999',
  'not-responding': '112999',
  'certificate-untrusted': '112999',
  'origin-refused': '112999',
  'permission-needed': '112999',
  'permission-pending': '112999',
  'permission-denied': '112999',
  'permission-impossible': '112999',
  'page-insecure': '112999',
  'csp-blocked': '112999',
  'configuration-invalid': '112999',
  'consent-required': '814501',
  'no-agent': '814500',
  'too-many-codes': '814501',
  'code-word-refused': '814501',
  /** Only of a connection (`@cardwire/client/connection`), which fetches the token itself. */
  'token-unavailable': '104025',
  'token-missing': '104025',
  'token-expired': '104025',
  'token-refused': '104025',
  'signature-wrong': '904300',
  timeout: '000000',
  aborted: '000000',
  'answer-malformed': '000000',
  /** The connector responded with a problem: `problem` names it, `wireCode` is its own. */
  refused: '000000',
} as const

/** Why a call failed. The README says what to do for each reason. */
export type Reason = keyof typeof reasons

/** The reasons of a missing consent. */
export type ConsentReason = 'consent-required' | 'no-agent' | 'too-many-codes'
