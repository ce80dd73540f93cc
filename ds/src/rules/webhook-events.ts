/** The event that webhooks get for an entry of the audit. */
import type { WebhookEventType } from '@cardwire/protocol'

/** An entry, as far as it matters here. */
export interface Entry {
  readonly sequence: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly subject: string
  readonly issuer: string | null
  readonly name: string
  readonly operation: string
  readonly kind: string
  readonly id: string
  /** Names with spaces between. */
  readonly fields: string
}

export interface WebhookEvent {
  /** The same each time it is sent. A database that was restored counts again, so the time is part of it. */
  readonly id: string
  readonly type: WebhookEventType
  /** Milliseconds since 1970. */
  readonly at: number
  /** What it is about, as a path: events with the same subject are sent in their order. */
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The operation and the kind of entries that the service makes when it notices something. */
export const noticeOperation = 'notice'

/** What the service has noticed: the type of its event, its subject, and what is known of it. */
export interface Notice {
  readonly type: WebhookEventType
  readonly subject: string
  readonly data: Readonly<Record<string, string | number>>
  /** With the type and subject, this makes it happen once. */
  readonly key: string
}

export const toNoticeId = ({ type, subject, key }: Notice): string =>
  `${type} ${subject} ${key}`.trim()

/** The field of an entry: a query. */
export const toNoticeField = ({ data }: Notice): string =>
  new URLSearchParams(
    Object.entries(data).map(([name, value]) => [name, JSON.stringify(value)]),
  ).toString()

/** Whether an entry is about a halt: by the service, of all rollouts, or of one. */
const isHalt = ({ operation, fields }: Entry, names: readonly string[]) =>
  operation === 'haltRollout' ||
  operation === 'haltRollouts' ||
  (operation === 'changeRollout' && fields.split(' ').includes('halt') && names.includes('state'))

/** undefined: webhooks get no event for it. */
export function toWebhookEvent(entry: Entry): WebhookEvent | undefined {
  const { sequence, at, operation, kind, id, fields } = entry
  const names = fields.split(' ').filter(Boolean)
  const create = (type: WebhookEventType, subject: string, data: WebhookEvent['data']) => ({
    ...{ id: `evt_${sequence}_${at.toString(36)}`, type, at, subject, data },
  })
  if (kind === 'notice') return readNotice(entry, create)
  const by = toActor(entry)
  if (kind === 'rollout' && isHalt(entry, names))
    return create('rollout.halted', `rollouts/${id}`, { rollout: id, by })
  if (kind === 'administrator' && operation === 'addAdministrator')
    return create('administrator.added', `administrators/${id}`, { name: id, by })
  const approves =
    (operation === 'approveDevice' && names.includes('approved')) ||
    (operation === 'changeDevices' && names[0] === 'approve')
  if (kind === 'device' && approves)
    return create('device.approved', `devices/${id}`, { device: id, by })
  return undefined
}

const toActor = ({ subject, issuer, name }: Entry) => ({
  ...{ subject, ...(issuer !== null && { issuer }), name },
})

function readNotice(
  { id, fields }: Entry,
  create: (type: WebhookEventType, subject: string, data: WebhookEvent['data']) => WebhookEvent,
): WebhookEvent {
  const [type, subject = ''] = id.split(' ')
  const data = Object.fromEntries(
    [...new URLSearchParams(fields)].map(([name, value]) => [name, JSON.parse(value)]),
  )
  return create(type as WebhookEventType, subject, data)
}
