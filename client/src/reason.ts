/** The reasons of failures, and the code that legacy clients have for each. */

/** Why a call failed. `error.kind` is finer: it says which problem the connector responded with, too. */
export type Reason =
  /** Nothing responds. */
  | 'not-running'
  /** A program accepts the connection and doesn't reply. */
  | 'not-responding'
  | 'certificate-untrusted'
  | 'origin-refused'
  | 'permission-needed'
  | 'permission-pending'
  | 'permission-denied'
  | 'permission-impossible'
  | 'page-insecure'
  | 'csp-blocked'
  | 'configuration-invalid'
  | ConsentReason
  | 'code-word-refused'
  /** Only of a connection (`@cardwire/client/connection`), which fetches the token itself. */
  | 'token-unavailable'
  | 'token-missing'
  | 'token-expired'
  | 'token-refused'
  | 'signature-wrong'
  | 'timeout'
  | 'aborted'
  | 'answer-malformed'
  /** The connector responded with a problem, and `error.kind` says which. */
  | 'refused'

/** The reasons of a missing consent. */
export type ConsentReason = 'consent-required' | 'no-agent' | 'too-many-codes'

const wireCodes: Readonly<Partial<Record<Reason, string>>> = {
  'consent-required': '814501',
  'no-agent': '814500',
  'too-many-codes': '814501',
  'code-word-refused': '814501',
  'signature-wrong': '904300',
}
const withoutWireCode: readonly Reason[] = ['timeout', 'aborted', 'answer-malformed', 'refused']

/** Legacy clients have one code for every initialization that found no connector, and none for what a later call meets. */
export function getWireCode(code: string, reason: Reason): string {
  if (reason.startsWith('token-')) return '104025'
  const isNone = code !== '199' && withoutWireCode.includes(reason)
  return wireCodes[reason] ?? (isNone ? '000000' : '112999')
}
