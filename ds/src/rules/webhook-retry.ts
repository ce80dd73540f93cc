/** When an event is sent again that a webhook has not accepted. */
import type { WebhookFault } from '@cardwire/protocol'

/** What became of a request. */
export type PostResult = { readonly status: number } | { readonly reason: WebhookFault }

export interface PendingEvent {
  /** How often it has failed, with this time. */
  readonly attempts: number
  /** When it failed for the first time. */
  readonly since: number
}

export type Retry =
  /** At that time. */
  | { readonly kind: 'later'; readonly at: number; readonly isFailing: boolean }
  /** The receiver answers, and does not want this event. */
  | { readonly kind: 'skip' }
  /** The receiver wants nothing more. */
  | { readonly kind: 'disable' }

const firstDelayMs = 5000
/** The longest delay between two attempts, before jitter. */
export const maxDelayMs = 3_600_000
/** After this long, the webhook is failing, and a receiver that answers is believed that it will not take the event. */
const patienceMs = 86_400_000

export const isDelivered = (result: PostResult): boolean =>
  'status' in result && result.status >= 200 && result.status < 300

/** Answers that say nothing about the event: a timeout, a conflict with another request, too early, too many requests. */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429])

const isRefusal = (result: PostResult): boolean =>
  'status' in result && result.status >= 400 && result.status < 500 && !passing.has(result.status)

/** The delay doubles up to an hour. `jitter`, from 0 to 1: receivers that were down together are not asked together again. */
export function decideRetry(
  result: PostResult,
  { attempts, since }: PendingEvent,
  now: number,
  jitter: number,
): Retry {
  if ('status' in result && result.status === 410) return { kind: 'disable' }
  const isFailing = now - since >= patienceMs
  if (isFailing && isRefusal(result)) return { kind: 'skip' }
  const delay = Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs)
  return { kind: 'later', at: now + Math.round(delay * (0.5 + jitter / 2)), isFailing }
}
