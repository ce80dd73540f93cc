/** The status of the synchronization with the service, and the status that follows from a failed attempt. */
import { errorText } from '../../system/error-text.ts'
import { Unreachable } from '../client/connection-options.ts'
import { DsError } from '../client/ds-response.ts'
import type { UnknownResponseSigningKey } from '../client/verify-reply.ts'

/** The kinds are the values of `standing` in the contract. */
export type SyncStatus =
  /** No attempt since this start. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'good'; readonly at: number }
  /** The service cannot be reached or is overloaded: the connector tries again. */
  | { readonly kind: 'unreachable'; readonly code: string; readonly reason: string }
  /** Stays until a user or an administrator changes something. */
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }

/** A reply that the service did not sign, or not for this request. */
export class ReplyRefused extends Error {
  /** The key that it names, when that key is not trusted. */
  readonly unknownKey: UnknownResponseSigningKey | undefined

  constructor(reason: string, unknownKey?: UnknownResponseSigningKey) {
    super(`Cannot accept the reply: ${reason}`)
    this.unknownKey = unknownKey
  }
}

/** The status after an attempt that failed with `error`. */
export function toSyncStatus(error: unknown): SyncStatus {
  const reason = errorText(error)
  // Without a response there is no code: only the reason distinguishes one status from another.
  if (error instanceof Unreachable) return { kind: 'unreachable', code: reason, reason }
  if (error instanceof ReplyRefused) return { kind: 'refused', code: 'reply-refused', reason }
  if (error instanceof DsError) {
    const { code } = error
    return { kind: isTemporary(code) ? 'unreachable' : 'refused', code, reason }
  }
  return { kind: 'refused', code: 'internal', reason }
}

/** Whether two statuses are logged as one; the reasons of an overloaded service differ each time. */
export const isSameStatus = (one: SyncStatus, other: SyncStatus) =>
  one.kind === other.kind && getCode(one) === getCode(other)

const getCode = (status: SyncStatus) => ('code' in status ? status.code : undefined)

/** Overload and faults of the service end by themselves. */
const isTemporary = (code: string) =>
  ['service-busy', 'too-many-requests', 'internal', 'request-too-slow'].includes(code) ||
  /^status-(408|429|5\d\d)$/.test(code)
