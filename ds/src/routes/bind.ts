/** The types that routes share: what a context carries, and how an operation gets its handler. */
import type { Operation } from '@cardwire/client/protocol'
import type { Bind as BindTo } from '@cardwire/client/protocol/hono'
import type { Caller } from '../auth/authorize.ts'

export interface AppEnv {
  readonly Variables: { requestId: string; operation: Operation; caller: Caller }
}

export type Bind = BindTo<AppEnv, Caller>
