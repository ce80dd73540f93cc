/**
 * Sends pending events. The audit is the queue: each webhook has the position up to which it was sent what concerns it, and moves on
 * with what the receiver has accepted. One run at a time, of any node, works for a webhook: it takes a lease.
 */

import { webhookBounds } from '@cardwire/protocol'
import { and, asc, eq, gt, lt, ne, notBetween, type SQL } from 'drizzle-orm'
import { exists, newestSequence } from '../db/audit.ts'
import { deleteBeyond } from '../db/delete-beyond.ts'
import { describeError } from '../db/describe-error.ts'
import { insertWhere } from '../db/insert-where.ts'
import { audit, webhookDeliveries, webhooks } from '../db/schema.ts'
import { nodeClockSkewS } from '../rules/steady-clock.ts'
import { toWebhookEvent } from '../rules/webhook-events.ts'
import { decideRetry, isDelivered, maxDelayMs, type PostResult } from '../rules/webhook-retry.ts'
import type { Services } from '../services.ts'
import { createNoticeWriter, type NoticeServices } from './notices.ts'
import { type DeliveryRow, type SendServices, sendEvent, type WebhookRow } from './send-event.ts'

export type WebhookServices = SendServices & NoticeServices & Pick<Services, 'log'>

/** Entries that are read at once, and kept in memory. */
const entriesPerRead = 200

/** A request takes 10 s, and the clocks of two nodes may differ. */
const leaseMs = (2 * 15 + nodeClockSkewS) * 1000

interface RunOptions {
  /** The most requests of a run to one webhook. */
  readonly maxSends: number
}

/** Returns what sends everything that is pending. Never rejects. Several may run at once. */
export function createWebhookRun(
  services: WebhookServices,
  { maxSends }: RunOptions,
): () => Promise<void> {
  const { db, clock, log } = services
  const writeNotices = createNoticeWriter(services)
  const handle = async (about: object, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      if (!services.stopping?.aborted)
        log.error('webhooks not sent', { ...about, error: describeError(error) })
    }
  }
  return () =>
    handle({}, async () => {
      await handle({}, writeNotices)
      const due = await db
        .select({ id: webhooks.id })
        .from(webhooks)
        .where(and(isDue(clock()), lt(webhooks.position, newestSequence)))
      await Promise.all(
        due.map(({ id }) => handle({ webhook: id }, () => sendPending(services, id, maxSends))),
      )
    })
}

/** A time that is too far ahead was stored while a clock was. */
const isPast = (
  column: typeof webhooks.nextAt | typeof webhooks.leaseUntil,
  now: number,
  maxMs: number,
) => notBetween(column, now + 1, now + maxMs + nodeClockSkewS * 1000)

const isDue = (now: number): SQL | undefined =>
  and(
    ne(webhooks.state, 'disabled'),
    isPast(webhooks.nextAt, now, maxDelayMs),
    isPast(webhooks.leaseUntil, now, leaseMs),
  )

async function sendPending(services: WebhookServices, id: string, maxSends: number): Promise<void> {
  const { db, clock, random } = services
  const lease = random.uuid()
  const claimed = await db
    .update(webhooks)
    .set({ lease, leaseUntil: clock() + leaseMs })
    .where(and(eq(webhooks.id, id), isDue(clock())))
    .returning()
  const mine = and(eq(webhooks.id, id), eq(webhooks.lease, lease))
  try {
    let [row]: (WebhookRow | undefined)[] = claimed
    let left = maxSends
    while (row && row.state !== 'disabled' && left > 0 && !services.stopping?.aborted) {
      const entries = await readEntries(services, row.position)
      for (const entry of entries) {
        const event = toWebhookEvent(entry)
        if (!event || !row.events.includes(event.type)) continue
        if (left === 0) return
        left -= 1
        const { sequence } = entry
        const attempt = row.attempts + 1
        const sent = await sendEvent(services, row, { ...event, sequence }, attempt)
        row = await record(services, row, { ...sent, sequence }, mine)
        // Another run has it now, it was changed, or the event has to wait.
        if (!row || row.position < sequence) return
      }
      row = await moveOn(services, entries.at(-1)?.sequence ?? row.position, mine)
      if (entries.length < entriesPerRead) return
    }
  } finally {
    await db.update(webhooks).set({ lease: null, leaseUntil: 0 }).where(mine)
  }
}

const readEntries = ({ db }: Pick<Services, 'db'>, position: number) =>
  db
    .select()
    .from(audit)
    .where(gt(audit.sequence, position))
    .orderBy(asc(audit.sequence))
    .limit(entriesPerRead)

/** Behind entries without an event. */
async function moveOn(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  position: number,
  mine: SQL | undefined,
): Promise<WebhookRow | undefined> {
  const [row] = await db
    .update(webhooks)
    .set({ position, leaseUntil: clock() + leaseMs })
    .where(mine)
    .returning()
  if (row)
    await db.batch([
      deleteBeyond(db, webhookDeliveries, webhookDeliveries.at, {
        keep: webhookBounds.deliveries,
        where: eq(webhookDeliveries.webhookId, row.id),
      }),
    ])
  return row
}

/** Stores what became of a request, with the position of the webhook. Undefined: this run has lost its lease. */
async function record(
  { db, clock, log, random }: WebhookServices,
  { id, attempts, pendingSince }: WebhookRow,
  sent: { readonly result: PostResult; readonly delivery: DeliveryRow; readonly sequence: number },
  mine: SQL | undefined,
): Promise<WebhookRow | undefined> {
  const now = clock()
  const { result, delivery, sequence } = sent
  const next = isDelivered(result)
    ? undefined
    : decideRetry(
        result,
        { attempts: attempts + 1, since: pendingSince ?? now },
        now,
        (random.bytes(1)[0] ?? 0) / 255,
      )
  const failure = {
    failedAt: delivery.at,
    failedStatus: delivery.status,
    failedReason: delivery.reason,
  }
  const done = { position: sequence, attempts: 0, pendingSince: null, nextAt: 0 }
  const change: Partial<WebhookRow> =
    next === undefined
      ? { ...done, state: 'active', failedAt: null, failedStatus: null, failedReason: null }
      : next.kind === 'skip'
        ? { ...done, ...failure }
        : next.kind === 'disable'
          ? { ...failure, state: 'disabled' }
          : {
              ...failure,
              attempts: attempts + 1,
              pendingSince: pendingSince ?? now,
              nextAt: next.at,
              ...(next.isFailing && { state: 'failing' }),
            }
  // One that an administrator has turned off meanwhile stays off, and its position as it was.
  const isOn = and(mine, ne(webhooks.state, 'disabled'))
  const row = { ...delivery, ...(next?.kind === 'skip' && { outcome: 'rejected' as const }) }
  const [, [stored]] = await db.batch([
    insertWhere(db, webhookDeliveries, row, exists(webhooks, isOn)),
    db
      .update(webhooks)
      .set({ ...change, leaseUntil: now + leaseMs })
      .where(isOn)
      .returning(),
  ])
  if (stored && stored.state !== 'active' && (next?.kind === 'disable' || next?.kind === 'later'))
    log.warn('webhook failing', { webhook: id, state: stored.state, attempts: stored.attempts })
  return stored
}
