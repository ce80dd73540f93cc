/** The reasons of failures, and the code that legacy clients have for each. */

/** Why a call failed. `error.kind` is finer: it says which problem the connector responded with, too. */
export type Reason =
  /** Nothing responds. */
  | 'not-running'
  /** A program accepts the connection and doesn't reply. */
  | 'not-responding'
  /** The certificate of the program that responds is not trusted. Browsers don't show this. */
  | 'certificate-untrusted'
  /** A connector responds, and the site is not on its allowlist. */
  | 'origin-refused'
  /** The browser has to ask the user, or the user closed its prompt. Call again from a click. */
  | 'permission-needed'
  /** The page aborted while the browser's prompt was open. */
  | 'permission-pending'
  /** The user denied the browser's permission. */
  | 'permission-denied'
  /** The page is in a frame without the permission. */
  | 'permission-impossible'
  /** The page is served over http. */
  | 'page-insecure'
  /** The page's own Content-Security-Policy does not allow the connector. */
  | 'csp-blocked'
  /** A field or an option is invalid. */
  | 'configuration-invalid'
  | ConsentReason
  /** The code word is too short, or was already used. */
  | 'code-word-refused'
  /** Only of a connection (`@cardwire/client/connection`), which fetches the token itself. */
  | 'token-unavailable'
  /** There is no token. */
  | 'token-missing'
  /** The token has expired. */
  | 'token-expired'
  /** The connector rejected the token for another reason. */
  | 'token-refused'
  /** The response is not signed with the connector's key. */
  | 'signature-wrong'
  /** A call got no response in time. */
  | 'timeout'
  /** The page aborted the call. */
  | 'aborted'
  /** The response can't be read. */
  | 'answer-malformed'
  /** The connector responded with a problem, and `error.kind` says which. */
  | 'refused'

/** The reasons of a missing consent. */
export type ConsentReason =
  /** The user hasn't allowed the site, or has revoked that. */
  | 'consent-required'
  /** No connector found the last three code words. */
  | 'no-agent'
  /** Too many code words were checked in this minute. */
  | 'too-many-codes'

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
