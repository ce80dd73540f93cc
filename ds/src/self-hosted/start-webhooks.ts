/** Looks for pending events of webhooks, until the service stops. */
import type { Background } from '../ports.ts'
import { createWebhookRun, type WebhookServices } from '../webhooks/run-webhooks.ts'

/** Without an event, this is one statement on a table of few rows. */
const intervalMs = 2000
/** Another node may be quicker. */
const maxSends = 1000

export function startWebhooks(
  services: WebhookServices,
  runInBackground: Background,
): { stop(): void } {
  const run = createWebhookRun(services, { maxSends })
  // A webhook with a slow receiver holds up none of the others: the next run leaves it out.
  const timer = setInterval(() => runInBackground(run), intervalMs)
  return { stop: () => clearInterval(timer) }
}
