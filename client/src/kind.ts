/** The kinds of failures: one code for each situation that a page may want to tell apart. */
import type { Reason } from './reason.ts'

/** What happened, as one code for each situation. The README says what your page does for each, and `describe` says it to users. */
export type CardwireErrorKind = Exclude<Reason, 'refused'> | RefusalKind

/** The kinds of failures that a connector responds with. */
export type RefusalKind =
  | (typeof problemKinds)[number]
  /** The request itself was rejected, because of a mistake in the page or in how it is served. */
  | 'request-invalid'
  /** Any other failure, such as one that only newer connectors have. */
  | 'unknown'

/** The problems of a connector that are situations of their own. */
const problemKinds = [
  // The connector and its computer.
  'origin-refused',
  'internal',
  'too-many-requests',
  'caller-refused',
  'policy-expired',
  'device-blocked',
  'grant-missing',
  'dialog-unavailable',
  'route-unknown',
  'module-unknown',
  // Readers and cards.
  'pcsc-unavailable',
  'reader-unknown',
  'card-absent',
  'card-changed',
  'card-unsupported',
  'card-mute',
  'card-busy',
  'card-session-unknown',
  'command-refused',
  'key-unknown',
  'key-unsupported',
  // The user's PIN and data.
  'pin-busy',
  'pin-wrong',
  'pin-blocked',
  'pin-cancelled',
  'pin-timeout',
  'pin-invalid',
  'identity-refused',
  // Files.
  'file-type-unknown',
  'file-type-unmapped',
  'file-type-refused',
  'file-type-managed',
  'file-path-refused',
  'file-unknown',
  'file-taken',
  'file-too-large',
  'disk-failed',
  'disk-full',
] as const

/** What the other problems have in common: they are about access (04) or input (06) in general (1). */
const isInvalidRequest = (wireCode: string): boolean => /^10[46]/.test(wireCode)

export function toKind(
  reason: Reason,
  problem: string | undefined,
  wireCode: string,
): CardwireErrorKind {
  if (reason !== 'refused') return reason
  return (
    problemKinds.find((kind) => kind === problem) ??
    (isInvalidRequest(wireCode) ? 'request-invalid' : 'unknown')
  )
}
