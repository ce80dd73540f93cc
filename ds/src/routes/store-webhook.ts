/** Finds a webhook, and stores one that is new or changed. */
import {
  Problem,
  type RevisionCondition,
  type Webhook,
  type WebhookInput,
  webhookBounds,
} from '@cardwire/protocol'
import { and, eq, ne, not, sql } from 'drizzle-orm'
import { exists, newestSequence, type OperationAudit, selectChangedFields } from '../db/audit.ts'
import { explainCondition, limitInBatch } from '../db/batch-conditions.ts'
import { nextRevision } from '../db/revisions.ts'
import { webhooks } from '../db/schema.ts'
import { toTimestamps } from '../http/pagination.ts'
import {
  createRevisionProblem,
  matchesRevision,
  requireNoRevision,
  requireRevision,
} from '../http/preconditions.ts'
import { findAddressFault } from '../rules/webhook-address.ts'
import type { Services } from '../services.ts'
import type { WebhookRow } from '../webhooks/send-event.ts'
import { createWebhookSecret, sealWebhookSecret } from '../webhooks/webhook-secrets.ts'

export const auditedFields = ['name', 'url', 'events', 'enabled']

export const describe = (id: string) => `webhook "${id}"`

export async function findWebhook({ db }: Pick<Services, 'db'>, id: string): Promise<WebhookRow> {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.id, id))
  if (!row) throw new Problem('webhook-unknown', `Cannot find ${describe(id)}: it does not exist`)
  return row
}

type Stored = { readonly row: WebhookRow; readonly secret?: string }

export async function storeWebhook(
  services: Services,
  id: string,
  input: WebhookInput,
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
): Promise<Stored> {
  requireAllowed(services, input.url)
  const [before] = await services.db.select().from(webhooks).where(eq(webhooks.id, id))
  if (before) return { row: await changeWebhook(services, before, input, condition, audit) }
  requireNoRevision(describe(id), condition)
  return createWebhook(services, id, input, audit)
}

/** Throws `webhook-address-refused`. What a name resolves to is checked with each request. */
function requireAllowed({ settings }: Pick<Services, 'settings'>, url: string): void {
  const fault = findAddressFault(url, settings.webhookPrivateAddresses)
  if (fault === undefined) return
  throw new Problem('webhook-address-refused', `Cannot send events to this URL: ${fault}`, {
    errors: [{ path: 'url', message: fault }],
  })
}

async function createWebhook(
  services: Services,
  id: string,
  { name, url, events, enabled }: WebhookInput,
  audit: OperationAudit,
): Promise<Stored> {
  const { db, clock, random } = services
  const now = clock()
  const secret = createWebhookSecret(random)
  const isThere = exists(webhooks, eq(webhooks.id, id))
  const [, [row]] = await explainCondition(
    db.batch([
      audit.createEntry('webhook', id, [...auditedFields, 'secret']).toStatement(not(isThere)),
      db
        .insert(webhooks)
        .values({
          ...{ id, name, url, events, state: enabled ? 'active' : 'disabled' },
          secret: await sealWebhookSecret(services, id, secret),
          position: sql`coalesce(${newestSequence}, 0)`,
          ...{ createdAt: now, updatedAt: now },
        })
        .onConflictDoNothing()
        .returning(),
      limitInBatch(db, webhooks, undefined, webhookBounds.webhooks),
    ]),
    () =>
      new Problem(
        'webhook-limit',
        `Cannot create the webhook: there are ${webhookBounds.webhooks}, remove one that you no longer need`,
      ),
  )
  if (row) return { row, secret }
  throw createRevisionProblem(describe(id), (await findWebhook(services, id)).revision)
}

async function changeWebhook(
  { db, clock, ...services }: Services,
  before: WebhookRow,
  { name, url, events, enabled }: WebhookInput,
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
): Promise<WebhookRow> {
  const { id, revision } = before
  requireRevision(describe(id), condition, revision)
  const mine = and(eq(webhooks.id, id), eq(webhooks.revision, revision))
  const isSame = JSON.stringify(before.events) === JSON.stringify(events)
  const fields = selectChangedFields(webhooks, mine, {
    name: ne(webhooks.name, name),
    url: ne(webhooks.url, url),
    events: isSame ? sql`false` : sql`true`,
    enabled: enabled ? eq(webhooks.state, 'disabled') : ne(webhooks.state, 'disabled'),
  })
  const fresh = { state: 'active', attempts: 0, pendingSince: null, nextAt: 0 } as const
  const healthy = { failedAt: null, failedStatus: null, failedReason: null }
  const [, [row]] = await db.batch([
    audit.createEntry('webhook', id, fields).toStatement(exists(webhooks, mine)),
    db
      .update(webhooks)
      .set({
        ...{ name, url, events, updatedAt: clock(), revision: nextRevision(webhooks.revision) },
        ...(enabled ? { ...fresh, ...healthy } : ({ state: 'disabled' } as const)),
      })
      .where(mine)
      .returning(),
  ])
  if (row) return row
  throw createRevisionProblem(describe(id), (await findWebhook({ db, ...services }, id)).revision)
}

/** Both secrets sign until the overlap is over. */
export async function replaceSecret(
  services: Services,
  id: string,
  overlapS: number,
  audit: OperationAudit,
): Promise<{ readonly row: WebhookRow; readonly secret: string }> {
  const { db, clock, random } = services
  const { revision } = await findWebhook(services, id)
  const mine = and(eq(webhooks.id, id), eq(webhooks.revision, revision))
  const secret = createWebhookSecret(random)
  const now = clock()
  const [, [row]] = await db.batch([
    audit.createEntry('webhook', id, ['secret']).toStatement(exists(webhooks, mine)),
    db
      .update(webhooks)
      .set({
        secret: await sealWebhookSecret(services, id, secret),
        ...(overlapS > 0
          ? { previousSecret: sql`${webhooks.secret}`, previousUntil: now + overlapS * 1000 }
          : { previousSecret: null, previousUntil: null }),
        ...{ updatedAt: now, revision: nextRevision(webhooks.revision) },
      })
      .where(mine)
      .returning(),
  ])
  if (row) return { row, secret }
  await findWebhook(services, id)
  throw new Problem(
    'changed-meanwhile',
    `Cannot replace the secret of ${describe(id)}: someone else changed it, send the request again`,
  )
}

export async function removeWebhook(
  services: Services,
  id: string,
  condition: RevisionCondition | undefined,
  audit: OperationAudit,
): Promise<void> {
  const { db } = services
  const mine = and(eq(webhooks.id, id), matchesRevision(webhooks.revision, condition))
  const [, [removed]] = await db.batch([
    audit.createEntry('webhook', id, auditedFields).toStatement(exists(webhooks, mine)),
    db.delete(webhooks).where(mine).returning(),
  ])
  if (!removed)
    throw createRevisionProblem(describe(id), (await findWebhook(services, id)).revision)
}

export function toWebhook(row: WebhookRow, now: number): Webhook {
  const { id, name, url, events, state, revision, previousUntil, pendingSince, failedAt } = row
  const isReplaced = previousUntil !== null && previousUntil > now
  return {
    ...{ id, name, url, events: [...events], state },
    ...(pendingSince !== null && { pendingSince: new Date(pendingSince).toISOString() }),
    ...(failedAt !== null && {
      lastFailure: {
        at: new Date(failedAt).toISOString(),
        ...(row.failedStatus !== null && { status: row.failedStatus }),
        ...(row.failedReason !== null && { reason: row.failedReason }),
      },
    }),
    ...(isReplaced && { replacedSecretUntil: new Date(previousUntil).toISOString() }),
    revision,
    ...toTimestamps(row),
  }
}
