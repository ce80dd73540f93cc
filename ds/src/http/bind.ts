/** Binds operations to handlers: what a context carries, and an audit for every change by an administrator. */
import {
  type Input,
  isManagement,
  type Operation,
  type Output,
  type Role,
} from '@cardwire/protocol'
import type { Bind as BindTo } from '@cardwire/protocol/hono'
import type { SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import { type Caller, readClientAddress } from '../auth/authorize.ts'
import { type AuditEntry, type AuditSource, createAudit, type OperationAudit } from '../db/audit.ts'
import type { Services } from '../services.ts'
import { approvesHeader, createSecondAdministrator } from './second-administrator.ts'

/** What a request to register says of its device. */
export interface ClaimedDevice {
  readonly fingerprint: string
  readonly version: string
  readonly platform: string
  readonly hostname: string | undefined
}

export interface AppEnv {
  readonly Variables: {
    requestId: string
    operation: Operation
    caller: Caller
    /** When the caller was allowed to send the body, in milliseconds since 1970. */
    authorizedAt: number
    /** The version whose installation key a registration has sent. */
    keyVersion?: string
    claimedDevice?: ClaimedDevice
  }
}

/** An operation by which administrators change something. Its handler has to create an entry in the audit. */
type ManagementOperation = Operation & {
  readonly access: Role
  readonly method: Exclude<Operation['method'], 'GET'>
}

type Audited<O extends Operation> = O extends ManagementOperation
  ? { readonly audit: OperationAudit }
  : unknown

type Handler<O extends Operation> = (
  input: Input<O> & { readonly caller: Caller } & Audited<O>,
  context: Context<AppEnv>,
) => Promise<Output<O>>

export type Bind = <const O extends Operation>(operation: O, handler: Handler<O>) => void

/** The request of a change fails when its handler created no entry in the audit and did not mark it as unchanged. */
export function createAuditedBind(bind: BindTo<AppEnv, Caller>, services: Services): Bind {
  const withSecondAdministrator = createSecondAdministrator(services)
  return <const O extends Operation>(operation: O, handler: Handler<O>) => {
    if (!isManagement(operation)) {
      bind(operation, (input, context) => handler(input as Parameters<typeof handler>[0], context))
      return
    }
    bind(operation, async (input, context) => {
      const source = readAuditSource(services, context)
      let isUsed = false
      const create = (isPast?: SQL) =>
        trackUse(createAudit(services, operation.name, source, isPast), () => {
          isUsed = true
        })
      const audit = create()
      const { params, query, body, caller } = input as Pick<
        Parameters<typeof handler>[0],
        'caller'
      > & { readonly params?: unknown; readonly query?: { maxReach?: number }; body?: unknown }
      const approves = context.req.header(approvesHeader)
      const requestId = context.get('requestId')
      const change = { operation, params, query, body, caller, approves, requestId }
      const output = await withSecondAdministrator(change, audit, (maxReach, isPast) => {
        const limited = {
          ...{ ...input, audit: isPast ? create(isPast) : audit },
          ...(query && { query: { ...query, maxReach } }),
        }
        return handler(limited as unknown as Parameters<typeof handler>[0], context)
      })
      if (!isUsed)
        throw new Error(
          `Cannot respond to "${operation.name}": its handler created no entry in the audit`,
        )
      return output
    })
  }
}

/** Who sent a request, for the audit. */
export function readAuditSource(services: Services, context: Context<AppEnv>): AuditSource {
  const caller = context.get('caller')
  const unnamed = { subject: '', issuer: null, name: '' }
  const { subject, issuer, name } = caller.kind === 'administrator' ? caller.identity : unnamed
  return {
    identity: { subject, issuer, name },
    address: readClientAddress(services, context),
    requestId: context.get('requestId'),
  }
}

/** Watches whether an audit is used: an entry is written, or the request is marked as unchanged. */
function trackUse(audit: OperationAudit, noteUse: () => void): OperationAudit {
  const trackEntry = (entry: AuditEntry): AuditEntry => ({
    toStatement(when) {
      noteUse()
      return entry.toStatement(when)
    },
    write() {
      noteUse()
      return entry.write()
    },
  })
  return {
    author: audit.author,
    createEntry: (...about) => trackEntry(audit.createEntry(...about)),
    createEntryOfEach(...about) {
      noteUse()
      return audit.createEntryOfEach(...about)
    },
    createUndoEntry: (...about) => trackEntry(audit.createUndoEntry(...about)),
    markUnchanged: noteUse,
  }
}
