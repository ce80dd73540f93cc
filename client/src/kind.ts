/** The kinds of failures: one code for each situation that a page may want to tell apart. */
import type { ConnectorProblem } from './connector-problem.ts'
import type { Reason } from './reason.ts'

/** What happened, as one code for each situation. The README says what your page does for each, and `describe` says it to users. */
export type CardwireErrorKind = Exclude<Reason, 'refused'> | RefusalKind

/** The kinds of failures that a connector responds with. */
export type RefusalKind =
  // The connector and its computer.
  /** A connector responds, and the site is not on its allowlist. */
  | 'origin-refused'
  /** The connector failed. */
  | 'internal'
  /** The site has too many requests or streams open. */
  | 'too-many-requests'
  /** The connector belongs to another user of the computer. */
  | 'caller-refused'
  /** The connector has had no contact with its service for too long. */
  | 'policy-expired'
  /** The administrator has blocked the computer. */
  | 'device-blocked'
  /** The site needs a grant from the administrator. */
  | 'grant-missing'
  /** The connector can't show a window. */
  | 'dialog-unavailable'
  /** The connector is older than the call. */
  | 'route-unknown'
  /** The connector doesn't have the module. */
  | 'module-unknown'
  // Readers and cards.
  /** The computer's smart card service isn't running. */
  | 'pcsc-unavailable'
  /** The reader is no longer connected. */
  | 'reader-unknown'
  /** The reader is empty. */
  | 'card-absent'
  /** The card was removed or replaced during the call. */
  | 'card-changed'
  /** No module handles the card, or the card can't do this. */
  | 'card-unsupported'
  /** The card doesn't respond properly. */
  | 'card-mute'
  /** Another program is using the card. */
  | 'card-busy'
  /** The transaction has ended. */
  | 'card-session-unknown'
  /** Pages can't send this command to a card. */
  | 'command-refused'
  /** The card doesn't have this key. */
  | 'key-unknown'
  /** The key can't do this. */
  | 'key-unsupported'
  // The user's PIN and data.
  /** A dialog of the page is still open. */
  | 'pin-busy'
  /** The PIN is wrong. `triesLeft` says how many attempts are left. */
  | 'pin-wrong'
  /** The PIN is blocked. */
  | 'pin-blocked'
  /** The user canceled the PIN entry. */
  | 'pin-cancelled'
  /** The user didn't enter the PIN in time. */
  | 'pin-timeout'
  /** The PIN is too short or too long for the card. It used no attempt. */
  | 'pin-invalid'
  /** The user didn't share the data. */
  | 'identity-refused'
  // Files.
  /** The site has no folder for this type. */
  | 'file-type-unknown'
  /** The folder no longer exists. */
  | 'file-type-unmapped'
  /** The user chose no folder. */
  | 'file-type-refused'
  /** The administrator set the folder. */
  | 'file-type-managed'
  /** Pages can't use this name or path. */
  | 'file-path-refused'
  /** The file doesn't exist. */
  | 'file-unknown'
  /** A file with this name already exists. */
  | 'file-taken'
  /** The file has more than 50 MiB. */
  | 'file-too-large'
  /** The disk reported an error. */
  | 'disk-failed'
  /** The disk is full. */
  | 'disk-full'
  /** The request itself was rejected, because of a mistake in the page or in how it is served. */
  | 'request-invalid'
  /** Any other failure, such as one that only newer connectors have. */
  | 'unknown'

/** The codes of the problems above, which take less of the bundle than their names. The tests have both. */
const problemsAbove =
  /^(1(020|050)0[12]|10400[267]|10800[1-7]|112(429|50[03]|999)|20200[12]|411001|50400[12]|50500[1-3]|51300[1-5]|604001|701001|70200[1-5])$/

/** What the other problems with these codes have in common: they are about access (04) or input (06) in general (1). */
const invalidRequest = /^10[46]/

export function toKind(
  reason: Reason,
  problem: ConnectorProblem | undefined,
  wireCode: string,
): CardwireErrorKind {
  if (reason !== 'refused') return reason
  if (problem && problemsAbove.test(wireCode)) return problem as RefusalKind
  return invalidRequest.test(wireCode) ? 'request-invalid' : 'unknown'
}
