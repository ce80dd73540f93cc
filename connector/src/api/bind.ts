/** The types that routes share: what a context carries, and how an operation gets its handler. */
import type { Operation } from '@cardwire/client/protocol'
import type { Bind as BindTo } from '@cardwire/client/protocol/hono'
import type { Connection } from '../system/server.ts'

/** Who asks, once the checks are passed. */
export type Caller =
  | { readonly kind: 'anyone' }
  /** A page of this origin, consented to. */
  | ({ readonly kind: 'page'; readonly origin: string } & Admitted)
  /** A program of this user. */
  | ({ readonly kind: 'program' } & Admitted)

/** What a token says, where there is one. */
export interface Admitted {
  readonly label: string | undefined
  /** When it ends, milliseconds since 1970. */
  readonly expiresAt: number
}

export interface ApiEnv {
  readonly Bindings: Connection
  readonly Variables: { requestId: string; operation: Operation; caller: Caller }
}

export type Bind = BindTo<ApiEnv, Caller>
