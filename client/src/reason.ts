/** Why something did not succeed: the words a page can act on, each with the code that deployed clients know it by. */

/** The six-digit codes are those of deployed clients; see the table of errors in the README for what to do. */
export const reasons = {
  'not-running': '112999',
  'certificate-untrusted': '112999',
  'origin-refused': '112999',
  'permission-needed': '112999',
  'permission-pending': '112999',
  'permission-denied': '112999',
  'permission-impossible': '112999',
  'page-insecure': '112999',
  'configuration-invalid': '112999',
  'consent-required': '814501',
  'no-agent': '814500',
  'code-word-refused': '814501',
  'token-missing': '104025',
  'token-expired': '104025',
  'token-refused': '104025',
  'signature-wrong': '904300',
  timeout: '000000',
  aborted: '000000',
  'answer-malformed': '000000',
  /** The connector answered with a problem: `problem` names it, `wireCode` is its own. */
  refused: '000000',
} as const

export type Reason = keyof typeof reasons

/** Where a consent is what is missing. */
export type ConsentReason = 'consent-required' | 'no-agent'
