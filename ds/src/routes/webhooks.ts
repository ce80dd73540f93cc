/** Webhooks, and what was sent to them. */
import {
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  Problem,
  putWebhook,
  redeliverWebhookEvent,
  rotateWebhookSecret,
  testWebhook,
  type WebhookDelivery,
} from '@cardwire/protocol'
import { and, desc, eq } from 'drizzle-orm'
import { exists, type OperationAudit } from '../db/audit.ts'
import { insertWhere } from '../db/insert-where.ts'
import { audit as auditTable, webhookDeliveries, webhooks } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage } from '../http/pagination.ts'
import { toWebhookEvent } from '../rules/webhook-events.ts'
import type { Services } from '../services.ts'
import {
  createTestEvent,
  type DeliveryRow,
  type SentEvent,
  sendEvent,
  type WebhookRow,
} from '../webhooks/send-event.ts'
import {
  findWebhook,
  removeWebhook,
  replaceSecret,
  storeWebhook,
  toWebhook,
} from './store-webhook.ts'

export function bindWebhookRoutes(bind: Bind, services: Services): void {
  const { db, reader, clock } = services
  const show = (row: WebhookRow) => toWebhook(row, clock())

  bind(putWebhook, async ({ params: { id }, body, headers, audit }) => {
    const { row, secret } = await storeWebhook(services, id, body, headers['if-match'], audit)
    return {
      created: secret !== undefined,
      data: { ...show(row), ...(secret !== undefined && { secret }) },
    }
  })

  bind(listWebhooks, async ({ query }) => {
    const order = [webhooks.createdAt, webhooks.id]
    const list = await selectPage(reader, webhooks, query, undefined, order)
    return { data: { ...list, items: list.items.map(show) } }
  })

  bind(getWebhook, async ({ params: { id } }) => ({
    data: show(await findWebhook(services, id)),
  }))

  bind(deleteWebhook, async ({ params: { id }, headers, audit }) => {
    await removeWebhook(services, id, headers['if-match'], audit)
    return { data: { id } }
  })

  bind(rotateWebhookSecret, async ({ params: { id }, body: { overlap }, audit }) => {
    const { row, secret } = await replaceSecret(services, id, overlap, audit)
    return { data: { ...show(row), secret } }
  })

  bind(testWebhook, async ({ params: { id }, audit }) => {
    const row = await findWebhook(services, id)
    return { data: await sendNow(services, row, createTestEvent(services), audit, 'test') }
  })

  bind(listWebhookDeliveries, async ({ params: { id }, query }) => {
    await findWebhook(services, id)
    const list = await selectPage(
      ...[reader, webhookDeliveries, query, eq(webhookDeliveries.webhookId, id)],
      [
        desc(webhookDeliveries.at),
        desc(webhookDeliveries.sequence),
        desc(webhookDeliveries.attempt),
      ],
    )
    return { data: { ...list, items: list.items.map(toDelivery) } }
  })

  bind(redeliverWebhookEvent, async ({ params: { id, delivery }, audit }) => {
    const row = await findWebhook(services, id)
    const mine = and(eq(webhookDeliveries.id, delivery), eq(webhookDeliveries.webhookId, id))
    const [found] = await db.select().from(webhookDeliveries).where(mine)
    if (!found)
      throw new Problem('delivery-unknown', `Cannot find delivery "${delivery}": it does not exist`)
    return { data: await sendNow(services, row, await readEvent(services, found), audit, 'event') }
  })
}

/** The event of an attempt, from the audit again. */
async function readEvent(services: Services, { sequence, event: id }: DeliveryRow) {
  if (sequence === null) return { ...createTestEvent(services), id }
  const [entry] = await services.db
    .select()
    .from(auditTable)
    .where(eq(auditTable.sequence, sequence))
  const event = entry && toWebhookEvent(entry)
  if (!event) throw new Error(`Cannot read event "${id}": the audit has no such entry`)
  return { ...event, sequence }
}

/** Sends an event because an administrator wants it; what is pending stays so. */
async function sendNow(
  services: Services,
  row: WebhookRow,
  event: SentEvent,
  audit: OperationAudit,
  field: string,
): Promise<WebhookDelivery> {
  const { delivery } = await sendEvent(services, row, event, 0)
  const isThere = exists(webhooks, eq(webhooks.id, row.id))
  await services.db.batch([
    audit.createEntry('webhook', row.id, [field]).toStatement(isThere),
    insertWhere(services.db, webhookDeliveries, delivery, isThere),
  ])
  return toDelivery(delivery)
}

const toDelivery = ({ sequence, webhookId, at, status, reason, ...row }: DeliveryRow) => ({
  ...row,
  at: new Date(at).toISOString(),
  ...(status !== null && { status }),
  ...(reason !== null && { reason }),
})
