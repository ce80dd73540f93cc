/** How the user is asked whether a page may use a key that the system keeps: the request, and the answer. */
import type { ProblemName } from '@cardwire/protocol/problem'
import type { PinAct } from './pin-request.ts'

export interface KeyUseRequest {
  /** The origin of the page, serialized; undefined: a program of this user asks. */
  readonly origin: string | undefined
  readonly act: PinAct
  /** Of the certificate, as a user knows them. */
  readonly subject: string
  readonly issuer: string
  /** As the page wishes it, a tag of BCP 47; undefined: the user's own. */
  readonly language: string | undefined
  /** What the page asks for; kept within the bounds of dialogs. */
  readonly timeoutMs: number
  /** Withdraws the request: the page or the consent has gone. */
  readonly signal: AbortSignal
}

/** Why the key is not used, as the problem that the page gets. */
export interface KeyUseRefusal {
  readonly problem: Extract<
    ProblemName,
    'pin-cancelled' | 'pin-timeout' | 'pin-busy' | 'dialog-unavailable'
  >
  /** A sentence for the page. */
  readonly reason: string
  /** Seconds until the user can be asked again. */
  readonly retryAfterS?: number
}

export type AskForKeyUse = (request: KeyUseRequest) => Promise<'accepted' | KeyUseRefusal>
