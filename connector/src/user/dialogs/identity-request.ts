/** How the user is asked whether a page may read the identity data of cards: the request, and the answer. */
import type { ProblemName } from '@cardwire/protocol/problem'
import type { Catalog } from '../../languages/en/catalog.ts'

/** What cards say about their holders, as the question names it. */
export type HolderData = keyof Catalog['dialogs']['identity']['holder']

export interface IdentityRequest {
  /** The origin of the page, serialized; undefined: a program of this user asks. */
  readonly origin: string | undefined
  /** The id of the module: one question is for all cards of it. */
  readonly module: string
  /** What the page may then read. */
  readonly data: readonly HolderData[]
  /** The kind of card, in English. */
  readonly card: string
  /** The name of the reader. */
  readonly reader: string
  /** Withdraws the request: the card, the page or the consent has gone. */
  readonly signal: AbortSignal
}

/** Why nothing may be read, as the problem that the page gets. A request that was withdrawn counts as refused. */
export interface IdentityRefusal {
  readonly problem: Extract<ProblemName, 'identity-refused' | 'pin-busy' | 'dialog-unavailable'>
  /** A sentence for the page. */
  readonly reason: string
  /** Seconds until the user can be asked again. */
  readonly retryAfterS?: number
}

export type AskForIdentity = (request: IdentityRequest) => Promise<'accepted' | IdentityRefusal>
