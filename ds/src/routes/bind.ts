/** The types that routes share: what a context carries, and how an operation gets its handler. */
import type { Input, Operation, Output } from '@cardwire/client/protocol'
import type { Bind as BindTo } from '@cardwire/client/protocol/hono'
import type { Context } from 'hono'
import { addressOf, type Caller } from '../auth/authorize.ts'
import { type Audit, auditOf, type Entry, type Origin } from '../db/audit.ts'
import type { Services } from '../services.ts'

export interface AppEnv {
  readonly Variables: { requestId: string; operation: Operation; caller: Caller }
}

/** Operations by which administrators change something. Their handlers have to leave an entry in the audit. */
type Management = Operation & {
  readonly access: 'administrator'
  readonly method: Exclude<Operation['method'], 'GET'>
}

type Audited<O extends Operation> = O extends Management ? { readonly audit: Audit } : unknown

type Handler<O extends Operation> = (
  input: Input<O> & { readonly caller: Caller } & Audited<O>,
  context: Context<AppEnv>,
) => Promise<Output<O>>

export type Bind = <const O extends Operation>(operation: O, handler: Handler<O>) => void

/** Binds so that an administrator's change without an entry in the audit is a failure, whatever its handler did. */
export function auditing(bind: BindTo<AppEnv, Caller>, services: Services): Bind {
  return <const O extends Operation>(operation: O, handler: Handler<O>) => {
    if (operation.access !== 'administrator' || operation.method === 'GET') {
      bind(operation, (input, context) => handler(input as Parameters<typeof handler>[0], context))
      return
    }
    bind(operation, async (input, context) => {
      const audit = watched(auditOf(services, operation.name, originOf(services, context)))
      const output = await handler({ ...input, audit } as Parameters<typeof handler>[0], context)
      if (!audit.used)
        throw new Error(`Cannot answer "${operation.name}": it left no entry in the audit`)
      return output
    })
  }
}

/** Who asks, for the audit. */
export function originOf(services: Services, context: Context<AppEnv>): Origin {
  const caller = context.get('caller')
  const nobody = { subject: '', issuer: null, name: '' }
  const { subject, issuer, name } = caller.kind === 'administrator' ? caller.identity : nobody
  return {
    who: { subject, issuer, name },
    address: addressOf(services, context),
    requestId: context.get('requestId'),
  }
}

/** An audit that knows whether it was told anything: that an entry became a statement, or that there is none. */
function watched(audit: Audit): Audit & { readonly used: boolean } {
  let used = false
  const watch = (entry: Entry): Entry => ({
    statement(when) {
      used = true
      return entry.statement(when)
    },
    write() {
      used = true
      return entry.write()
    },
  })
  return {
    get used() {
      return used
    },
    entry: (...about) => watch(audit.entry(...about)),
    undone: (...about) => watch(audit.undone(...about)),
    unchanged() {
      used = true
    },
  }
}
