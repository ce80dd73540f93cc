/** The types that routes share: the context of a request, its caller, and how an operation is bound to a handler. */

import type { Bind as BindTo } from '@cardwire/protocol/hono'
import type { Operation } from '@cardwire/protocol/operation'
import type { PeerOwner } from '../system/peer-owner.ts'
import type { Connection } from '../system/server.ts'

/** Who sends a request, once the checks have passed. */
export type Caller =
  | { readonly kind: 'anyone' }
  | PageCaller
  /** A program of this user. */
  | ({ readonly kind: 'program' } & TokenInfo)

/** A page of an origin with consent. */
export interface PageCaller extends TokenInfo {
  readonly kind: 'page'
  readonly origin: string
  /** The consent with which it was authorized: what the request starts ends with this one, also when the user gives another. */
  readonly consentId: string
}

/** The claims of the caller's token. */
export interface TokenInfo {
  /** undefined: no token is required. */
  readonly label: string | undefined
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The account whose process sends a request: of this connector, another one, or not named by the system. */
export type CallerAccount = Exclude<PeerOwner, { readonly kind: 'gone' }>

/** As the system names users; undefined where it does not say. */
export const getUser = (account: CallerAccount): string | undefined =>
  account.kind === 'unknown' ? undefined : account.user

export interface ApiEnv {
  readonly Bindings: Connection
  readonly Variables: {
    requestId: string
    account: CallerAccount
    operation: Operation
    caller: Caller
  }
}

export type Bind = BindTo<ApiEnv, Caller>
