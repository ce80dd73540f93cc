/** Webhooks: addresses that the service tells what happened, in signed requests. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging, upserted } from './operation.ts'
import { DisplayName } from './organization.ts'
import { Revision, revisionHeaders } from './revision.ts'

const webhooks = { tag: 'Webhooks', access: 'administrator' } as const

/** What a webhook can be told, subject first. */
export const WebhookEventType = z.enum([
  'rollout.halted',
  'device-faults.raised',
  'registrations.rejected',
  'keystore.expiring',
  'signing-key.expiring',
  'administrator.added',
  'device.approved',
])
export type WebhookEventType = z.output<typeof WebhookEventType>

/** What a test is sent as: no webhook can choose it. */
export const webhookTestType = 'webhook.test'

export const webhookBounds = {
  webhooks: 20,
  urlLength: 2000,
  /** The newest deliveries that are kept of each. */
  deliveries: 200,
} as const

/** The headers of a delivery, and the form of its signature: Standard Webhooks, version 1. */
export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

const hasNoMore = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && `${url.username}${url.password}${url.hash}` === ''
}

const WebhookUrl = z
  .string()
  .check(
    z.maxLength(webhookBounds.urlLength),
    z.regex(/^https?:\/\/[^\s\p{Cc}]+$/u, 'expected a URL that starts with https://'),
    z.refine(hasNoMore, 'expected a URL without a user, a password or a fragment'),
    z.describe(
      'https only. The host must not be, or resolve to, a private, local or reserved address (DS_WEBHOOK_PRIVATE_ADDRESSES)',
    ),
  )

export const WebhookInput = z.strictObject({
  name: DisplayName,
  url: WebhookUrl,
  events: z.array(WebhookEventType).check(
    z.minLength(1),
    z.maxLength(WebhookEventType.options.length),
    z.refine((events) => new Set(events).size === events.length, 'expected each event once'),
  ),
  enabled: z
    ._default(z.boolean(), true)
    .check(
      z.describe(
        'A webhook that is turned on again is sent everything that has happened meanwhile; a failing one is tried again at once',
      ),
    ),
})
export type WebhookInput = z.output<typeof WebhookInput>

/** Why a request to a webhook had no response. */
export const WebhookFault = z.enum([
  'address-refused',
  'name-unknown',
  'connection-failed',
  'tls-failed',
  'timeout',
])
export type WebhookFault = z.output<typeof WebhookFault>

const Attempt = z.object({
  at: z.iso.datetime(),
  status: z.optional(z.int()).check(z.describe('The HTTP status of the receiver’s response')),
  reason: z.optional(WebhookFault).check(z.describe('Why there was no response')),
})

export const Webhook = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  events: z.array(WebhookEventType),
  state: z
    .enum(['active', 'failing', 'disabled'])
    .check(
      z.describe(
        '`failing`: the oldest pending event has failed for a day, and is tried once an hour. `disabled`: by an administrator, or because the receiver responded with 410',
      ),
    ),
  pendingSince: z
    .optional(z.iso.datetime())
    .check(z.describe('When the oldest pending event failed for the first time')),
  lastFailure: z.optional(Attempt),
  replacedSecretUntil: z
    .optional(z.iso.datetime())
    .check(z.describe('Until then, requests are signed with the previous secret as well')),
  revision: Revision,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Webhook = z.output<typeof Webhook>

const secret = z
  .string()
  .check(z.describe('`whsec_` and the key in base64. Only the response that creates it shows it'))

const params = z.object({ id: z.uuid() })

const exampleId = '5d3c1a0e-93a5-4c0c-9d6f-0a8b1c2d3e4f'
const exampleParams = { id: { operation: 'putWebhook', pointer: '/data/id' } } as const

export const putWebhook = operation({
  ...webhooks,
  name: 'putWebhook',
  method: 'PUT',
  path: '/v3/webhooks/{id}',
  summary: 'Create or change a webhook',
  description:
    'Choose a new UUID as `id`. A new webhook is sent what happens from then on. Only the response that creates it (201) has its `secret`.',
  params,
  headers: revisionHeaders,
  body: { type: 'json', schema: WebhookInput },
  examples: [
    {
      summary: 'Tell an address when a rollout halts',
      params: { id: exampleId },
      body: {
        name: 'On-call',
        url: 'https://hooks.example/cardwire',
        events: ['rollout.halted'],
        enabled: false,
      },
    },
  ],
  reply: upserted(z.extend(Webhook, { secret: z.optional(secret) })),
  entityTag: true,
  problems: ['webhook-address-refused', 'webhook-limit', 'revision-mismatch'],
})

export const listWebhooks = operation({
  ...webhooks,
  name: 'listWebhooks',
  method: 'GET',
  path: '/v3/webhooks',
  summary: 'List the webhooks',
  query: z.strictObject(paging),
  reply: data(pageOf(Webhook)),
  problems: [],
})

export const getWebhook = operation({
  ...webhooks,
  name: 'getWebhook',
  method: 'GET',
  path: '/v3/webhooks/{id}',
  summary: 'Get a webhook',
  params,
  examples: [{ summary: 'One webhook', params: exampleParams }],
  reply: data(Webhook),
  entityTag: true,
  problems: ['webhook-unknown'],
})

export const deleteWebhook = operation({
  ...webhooks,
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/v3/webhooks/{id}',
  summary: 'Remove a webhook with its deliveries',
  params,
  headers: revisionHeaders,
  examples: [{ summary: 'One webhook', params: exampleParams }],
  reply: data(z.object({ id: z.uuid() })),
  problems: ['webhook-unknown', 'revision-mismatch'],
})

/** The longest time for which both secrets sign, in seconds. */
const maxOverlapS = 7 * 86_400

export const rotateWebhookSecret = operation({
  ...webhooks,
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/v3/webhooks/{id}/secret',
  summary: 'Replace the secret of a webhook',
  description:
    'Only this response shows the new secret. For `overlap` more seconds (default: a day), each request has the signatures of both.',
  params,
  body: {
    type: 'json',
    schema: z.strictObject({
      overlap: z._default(
        z.int().check(z.minimum(0), z.maximum(maxOverlapS), z.describe('Seconds')),
        86_400,
      ),
    }),
  },
  examples: [{ summary: 'Both sign for an hour', params: exampleParams, body: { overlap: 3600 } }],
  reply: data(z.extend(Webhook, { secret })),
  problems: ['webhook-unknown', 'changed-meanwhile'],
})

export const WebhookDelivery = z.object({
  id: z.uuid(),
  event: z.string().check(z.describe('The webhook-id, which is the same in each attempt')),
  type: z.union([WebhookEventType, z.literal(webhookTestType)]),
  subject: z.string(),
  ...Attempt.shape,
  attempt: z.int().check(z.describe('0: an administrator asked for it')),
  outcome: z
    .enum(['delivered', 'failed', 'rejected'])
    .check(
      z.describe(
        '`failed`: it is tried again. `rejected`: the receiver has responded with an error for a day, and the event is not sent again by itself',
      ),
    ),
  durationMs: z.int(),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>

export const testWebhook = operation({
  ...webhooks,
  name: 'testWebhook',
  method: 'POST',
  path: '/v3/webhooks/{id}/test',
  summary: 'Send a test event to a webhook',
  description: `Sends an event of the type \`${webhookTestType}\`, and waits up to 10 seconds for the receiver. It works for a disabled webhook, too.`,
  params,
  examples: [{ summary: 'One webhook', params: exampleParams }],
  reply: data(WebhookDelivery),
  problems: ['webhook-unknown'],
})

export const listWebhookDeliveries = operation({
  ...webhooks,
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: '/v3/webhooks/{id}/deliveries',
  summary: 'List the attempts to send events to a webhook, newest first',
  description: `The newest ${webhookBounds.deliveries} are kept.`,
  params,
  query: z.strictObject(paging),
  examples: [{ summary: 'Of one webhook', params: exampleParams }],
  reply: data(pageOf(WebhookDelivery)),
  problems: ['webhook-unknown'],
})

export const redeliverWebhookEvent = operation({
  ...webhooks,
  name: 'redeliverWebhookEvent',
  method: 'POST',
  path: '/v3/webhooks/{id}/deliveries/{delivery}/redeliver',
  summary: 'Send an event to a webhook once more',
  description:
    'Sends the event of this attempt at once, with the same webhook-id and a new timestamp. Pending events are not affected.',
  params: z.object({ ...params.shape, delivery: z.uuid() }),
  examples: [
    {
      summary: 'The test',
      params: { ...exampleParams, delivery: { operation: 'testWebhook', pointer: '/data/id' } },
    },
  ],
  reply: data(WebhookDelivery),
  problems: ['webhook-unknown', 'delivery-unknown'],
})
