/** How the connector stands with its service, and what an attempt that failed says of that. */
import { Unreachable } from './link.ts'
import { ServiceRefusal } from './service.ts'

export type Standing =
  /** Not asked yet, since this start. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'good'; readonly at: number }
  /** The service is not there, or does not serve now: it is asked again. */
  | { readonly kind: 'unreachable'; readonly code: string; readonly reason: string }
  /** Somebody has to do something. */
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }

/** An answer that is not the word of the service, or not for this request. */
export class ReplyRefused extends Error {
  /** The key that signed it, when it is not one that was announced. */
  readonly unknownKey: string | undefined

  constructor(reason: string, unknownKey?: string) {
    super(`Cannot believe the reply: ${reason}`)
    this.unknownKey = unknownKey
  }
}

/** What a failed attempt says. */
export function standingAfter(error: unknown): Standing {
  const reason = error instanceof Error ? error.message : String(error)
  // Without an answer the reason is all there is to tell one state from another.
  if (error instanceof Unreachable) return { kind: 'unreachable', code: reason, reason }
  if (error instanceof ReplyRefused) return { kind: 'refused', code: 'reply-refused', reason }
  if (error instanceof ServiceRefusal) {
    const { code } = error
    return { kind: isPassing(code) ? 'unreachable' : 'refused', code, reason }
  }
  return { kind: 'refused', code: 'internal', reason }
}

/** Two attempts of one state are told once; what a service says of a crowd differs each time. */
export const isSame = (one: Standing, other: Standing) =>
  one.kind === other.kind && codeOf(one) === codeOf(other)

const codeOf = (standing: Standing) => ('code' in standing ? standing.code : undefined)

/** Load and faults of the service pass; everything else stays until somebody does something. */
const isPassing = (code: string) =>
  ['service-busy', 'too-many-requests', 'internal', 'request-too-slow'].includes(code) ||
  /^status-(408|429|5\d\d)$/.test(code)
