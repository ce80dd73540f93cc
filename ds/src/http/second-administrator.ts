/**
 * A change that gives another version to many devices takes two administrators: the first request is stored, and the same one from
 * another account makes the change. Each operation counts its devices itself: it gets the setting as its limit, unless both have asked.
 */
import {
  approvalHours,
  approverDays,
  isApprovedOperation,
  maxApprovals,
  maxApprovalsOfAccount,
  Problem,
  type Role,
} from '@cardwire/protocol'
import { and, eq, gt, isNull, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../auth/authorize.ts'
import type { Identity } from '../auth/identity/provider.ts'
import {
  hasEntryOfOthers,
  newestSequence,
  type OperationAudit,
  prepareAuditWatch,
  rolloutAdvance,
} from '../db/audit.ts'
import { explainCondition, isConditionOf, limitInBatch } from '../db/batch-conditions.ts'
import { approvals, audit as auditTable } from '../db/schema.ts'
import { bytesToHex } from '../rules/encoding.ts'
import { sentByDevices } from '../rules/news.ts'
import type { Services } from '../services.ts'
import { createAskerCheck } from './asker.ts'
import { createPersons, isSameActor } from './one-person.ts'

/** Of a request that approves what a page has shown. */
export const approvesHeader = 'approves'

type Row = typeof approvals.$inferSelect
type GateServices = Pick<Services, 'db' | 'clock' | 'settings' | 'url' | 'identity'>

/** A request, as its operation has parsed it. */
interface Change {
  readonly operation: { readonly name: string; readonly access: string }
  readonly caller: Caller
  readonly params?: unknown
  readonly query?: { readonly maxReach?: number | undefined } | undefined
  readonly body?: unknown
  /** The request that a page showed, which is approved or nothing: never asks. */
  readonly approves?: string | undefined
  readonly requestId: string
}

/** What a page shows of a stored request: one that was made again is another. */
export const toApprovalTag = ({
  id,
  createdAt,
  sequence,
}: Pick<Row, 'id' | 'createdAt' | 'sequence'>): string => `${id} ${createdAt} ${sequence}`

/** What a change depends on besides devices, whose number is limited. */
const watchedKinds = ['version', 'rollout', 'group', 'configuration', 'installer'] as const

/**
 * The version that a device brings has no installer, so that no one is offered it, and both administrators know that a rollout
 * continues by itself: neither changes what was approved.
 */
const isOfAccount = sql`(${notInArray(auditTable.operation, [...sentByDevices])} and not (${auditTable.operation} = ${rolloutAdvance} and ${auditTable.fields} = 'stage'))`

export const prepareApprovalWatch = ({ db }: Pick<Services, 'db'>) =>
  prepareAuditWatch(db, watchedKinds, isOfAccount)

/**
 * `run` makes the change, within the limit that it gets: undefined where the request decides. It stores nothing where `isPast` holds: the
 * change depends on something that another request has changed since the first administrator asked.
 */
type Run<T> = (maxReach: number | undefined, isPast?: SQL) => Promise<T>

export function createSecondAdministrator(services: GateServices) {
  const { db, clock, settings } = services
  const hasChangedSince = prepareApprovalWatch(services)
  const persons = createPersons(services)
  const mayStillAsk = createAskerCheck(services)

  return async <T>(change: Change, audit: OperationAudit, run: Run<T>): Promise<T> => {
    const limit = settings.twoAdministrators
    const { caller, query } = change
    const { name: operation } = change.operation
    const own = query?.maxReach ?? settings.maxReach ?? Number.POSITIVE_INFINITY
    const isFree = limit === undefined || (own <= limit && change.approves === undefined)
    if (isFree || !isApprovedOperation(operation)) return run(query?.maxReach)
    if (caller.kind !== 'administrator') throw new Error('Cannot ask for approval: no account asks')
    const id = await toId(change)
    const made = await approve(id, change, caller.identity, { audit, own, run })
    if (made) return made.result
    if (change.approves !== undefined) throw createGoneProblem(id)
    const [newest] = await db.select({ sequence: newestSequence }).from(auditTable).limit(1)
    try {
      return await run(limit)
    } catch (error) {
      const reach =
        error instanceof Problem && error.name === 'reach-exceeded' && error.extras.reach
      if (typeof reach !== 'number' || reach > own) throw error
      await ask(id, change, caller.identity, audit, {
        ...{ operation, reach, maxReach: Number.isFinite(own) ? own : reach },
        sequence: newest?.sequence ?? 0,
      })
      throw createProblem(
        `it affects ${reach} devices, more than DS_TWO_ADMINISTRATORS; another administrator has to send the same request within ${approvalHours} hours (GET /v3/approvals)`,
        reach,
      )
    }
  }

  /** Makes the change that another account has asked for; undefined where none has, or where something has changed since. */
  async function approve<T>(
    id: string,
    change: Change,
    identity: Identity,
    { audit, own, run }: { readonly audit: OperationAudit; readonly own: number; run: Run<T> },
  ): Promise<{ readonly result: T } | undefined> {
    const request = await take(id, change, identity)
    if (!request) return undefined
    try {
      const isPast = hasEntryOfOthers(watchedKinds, request.sequence, change.requestId, isOfAccount)
      const result = await run(Math.min(request.maxReach, own), isPast)
      const fields = ['approved', encodeURIComponent(request.subject)]
      await db.batch([audit.createEntry('approval', id, fields).toStatement()])
      return { result }
    } catch (error) {
      // It was not made: the first request waits on.
      await db.insert(approvals).values(request).onConflictDoNothing()
      const isOver = error instanceof Problem && error.name === 'reach-exceeded'
      if (isConditionOf('audit', error) || (isOver && change.approves === undefined))
        return undefined
      throw error
    }
  }

  /** The request of another account for the same change, if it still stands; it is used up. */
  async function take(
    id: string,
    { operation, approves }: Change,
    identity: Identity,
  ): Promise<Row | undefined> {
    const since = clock() - approvalHours * 3_600_000
    const [row] = await db
      .select()
      .from(approvals)
      .where(and(eq(approvals.id, id), gt(approvals.createdAt, since)))
    if (!row || isSameActor(row, identity) || (await hasChangedSince(row.sequence)))
      return undefined
    // A program approves nothing, and those who gave a program access do not approve what it asks.
    if (identity.credential !== undefined || (await persons.areOne(identity, row))) return undefined
    if (approves !== undefined && approves !== toApprovalTag(row)) return undefined
    if (await persons.isNew(identity)) throw createNewProblem(accountIsNew)
    if (await persons.isNew(row)) return undefined
    if (!(await mayStillAsk(row, operation.access as Role))) return undefined
    const mine = and(
      ...[eq(approvals.id, id), eq(approvals.subject, row.subject)],
      eq(approvals.createdAt, row.createdAt),
    )
    const [taken] = await db.delete(approvals).where(mine).returning()
    return taken
  }

  async function ask(
    id: string,
    { params, query, body }: Change,
    { subject, issuer, name, isLocal }: Identity,
    audit: OperationAudit,
    found: Pick<Row, 'operation' | 'reach' | 'maxReach' | 'sequence'>,
  ): Promise<void> {
    const isClient = persons.isClient({ subject, issuer })
    if (await persons.isNew({ subject, issuer }))
      throw createNewProblem(isClient ? clientIsNew : accountIsNew)
    if (
      typeof body === 'object' &&
      body !== null &&
      'installationApiKey' in body &&
      body.installationApiKey
    )
      throw createProblem('change the installation key in a separate request', found.reach)
    const now = clock()
    const { maxReach: _, ...others } = query ?? {}
    const row: Row = {
      ...{ id, ...found, params: toTexts(params), query: toTexts(others) },
      ...{ body: body ?? null, subject, issuer, name, isLocal: isLocal === true },
      createdAt: now,
    }
    const old = lte(approvals.createdAt, now - approvalHours * 3_600_000)
    await db.delete(approvals).where(old)
    const mine = and(eq(approvals.subject, subject), isOfIssuer(issuer))
    const stored = db.batch([
      audit.createEntry('approval', id, ['requested']).toStatement(),
      db.insert(approvals).values(row).onConflictDoUpdate({ target: approvals.id, set: row }),
      limitInBatch(db, approvals, undefined, maxApprovals),
      limitInBatch(db, approvals, mine, maxApprovalsOfAccount),
    ])
    await explainCondition(stored, async () => {
      const isFull = (await db.$count(approvals, mine)) < maxApprovalsOfAccount
      const which = isFull
        ? `${maxApprovals} changes`
        : `${maxApprovalsOfAccount} changes of this account`
      return new Problem(
        'approval-limit',
        `Cannot ask for approval: ${which} are already pending, cancel one of them (DELETE /v3/approvals)`,
        { reach: found.reach },
      )
    })
  }
}

const isOfIssuer = (issuer: string | null) =>
  issuer === null ? isNull(approvals.issuer) : eq(approvals.issuer, issuer)

async function toId({ operation, params, query, body }: Change): Promise<string> {
  const { maxReach: _, ...others } = query ?? {}
  const text = JSON.stringify(sortFields([operation.name, toTexts(params), toTexts(others), body]))
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return bytesToHex(new Uint8Array(bytes))
}

/** The same value with the fields of all objects in one order. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (typeof value !== 'object' || value === null) return value ?? null
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(
    fields
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sortFields(field)]),
  )
}

/** As an address has them. */
const toTexts = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )

const createProblem = (reason: string, reach?: number) =>
  new Problem(
    'second-administrator',
    `Cannot make this change with one administrator: ${reason}`,
    reach === undefined ? {} : { reach },
  )

const createGoneProblem = (id: string) =>
  new Problem(
    'approval-unknown',
    `Cannot approve "${id}": it was removed, or requested again since it was shown`,
  )

const accountIsNew = 'another administrator has added your account or changed its password or role'
const clientIsNew =
  'an administrator has added this API client or changed it whose account another one has added or changed'

const createNewProblem = (reason: string) =>
  createProblem(`${reason} in the last ${approverDays} days, so that it doesn't count yet`)
