/** Sends an event to a webhook once. */
import { type WebhookDelivery, webhookTestType } from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import { rollouts, type webhookDeliveries, type webhooks } from '../db/schema.ts'
import { isDelivered, type PostResult } from '../rules/webhook-retry.ts'
import type { Services } from '../services.ts'
import { openWebhookSecrets, signWebhook } from './webhook-secrets.ts'

export type WebhookRow = typeof webhooks.$inferSelect
export type DeliveryRow = typeof webhookDeliveries.$inferSelect

export type SendServices = Pick<
  Services,
  'db' | 'clock' | 'random' | 'vault' | 'postWebhook' | 'stopping' | 'metrics'
>

/** An event as it is sent: one of the audit, or a test. */
export interface SentEvent {
  readonly id: string
  readonly type: WebhookDelivery['type']
  readonly at: number
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
  /** The entry of the audit; null for a test. */
  readonly sequence: number | null
}

/** A 2xx within this time is a success. */
const timeoutMs = 10_000

export const createTestEvent = ({
  clock,
  random,
}: Pick<Services, 'clock' | 'random'>): SentEvent => ({
  ...{ id: `evt_test_${random.uuid()}`, type: webhookTestType, at: clock() },
  ...{ subject: 'webhooks', data: {}, sequence: null },
})

/** What became of it, and what is stored about it. Throws when the service stops meanwhile. */
export async function sendEvent(
  services: SendServices,
  row: WebhookRow,
  event: SentEvent,
  attempt: number,
): Promise<{ readonly result: PostResult; readonly delivery: DeliveryRow }> {
  const { clock, random, postWebhook, stopping, metrics } = services
  const at = clock()
  const body = JSON.stringify({
    id: event.id,
    type: event.type,
    timestamp: new Date(event.at).toISOString(),
    subject: event.subject,
    data: await addVersion(services, event),
  })
  const headers = await signWebhook(await openWebhookSecrets(services, row), event.id, body, at)
  const timeout = AbortSignal.timeout(timeoutMs)
  const result = await postWebhook({
    url: row.url,
    headers: { 'content-type': 'application/json', 'user-agent': 'cardwire-ds', ...headers },
    body,
    signal: stopping ? AbortSignal.any([timeout, stopping]) : timeout,
  })
  // What was cut off is no failure of the receiver.
  stopping?.throwIfAborted()
  const outcome = isDelivered(result) ? 'delivered' : 'failed'
  metrics?.countWebhookDelivery(outcome)
  return {
    result,
    delivery: {
      ...{ id: random.uuid(), webhookId: row.id, event: event.id, sequence: event.sequence },
      ...{ type: event.type, subject: event.subject, at, attempt, outcome },
      status: 'status' in result ? result.status : null,
      reason: 'reason' in result ? result.reason : null,
      durationMs: Math.max(0, clock() - at),
    },
  }
}

/** The audit names a rollout, and receivers its version, which it keeps for as long as it is there. */
async function addVersion({ db }: Pick<Services, 'db'>, { type, data }: SentEvent) {
  if (type !== 'rollout.halted') return data
  const { rollout, ...rest } = data
  const [found] = await db
    .select({ version: rollouts.versionId })
    .from(rollouts)
    .where(eq(rollouts.id, String(rollout)))
  return { rollout, ...found, ...rest }
}
