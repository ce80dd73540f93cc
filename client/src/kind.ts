/** The kinds of failures: one code for each situation that a page may want to tell apart. */
import type { ConnectorProblem } from './connector-problem.ts'
import type { Reason } from './reason.ts'

/** What happened, as one code for each situation. The README says what your page does for each, and `describe` says it to users. */
export type CardwireErrorKind = Exclude<Reason, 'refused'> | RefusalKind

/** The kinds of failures that a connector responds with. */
export type RefusalKind =
  // The connector and its computer.
  | 'origin-refused'
  | 'internal'
  | 'too-many-requests'
  | 'caller-refused'
  | 'policy-expired'
  | 'device-blocked'
  | 'grant-missing'
  | 'dialog-unavailable'
  | 'route-unknown'
  | 'module-unknown'
  // Readers and cards.
  | 'pcsc-unavailable'
  | 'reader-unknown'
  | 'card-absent'
  | 'card-changed'
  | 'card-unsupported'
  | 'card-mute'
  | 'card-busy'
  | 'card-session-unknown'
  | 'command-refused'
  | 'key-unknown'
  | 'key-unsupported'
  // The user's PIN and data.
  | 'pin-busy'
  | 'pin-wrong'
  | 'pin-blocked'
  | 'pin-cancelled'
  | 'pin-timeout'
  | 'pin-invalid'
  | 'identity-refused'
  // Files.
  | 'file-type-unknown'
  | 'file-type-unmapped'
  | 'file-type-refused'
  | 'file-type-managed'
  | 'file-path-refused'
  | 'file-unknown'
  | 'file-taken'
  | 'file-too-large'
  | 'disk-failed'
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
