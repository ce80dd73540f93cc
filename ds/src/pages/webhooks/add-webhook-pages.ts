/** The pages of webhooks. */
import type { Services } from '../../services.ts'
import type { PageApp } from '../frame/page-env.ts'
import { addWebhook } from './webhook.tsx'
import { addWebhookList } from './webhook-form.tsx'

export function addWebhookPages(pages: PageApp, services: Pick<Services, 'random'>): void {
  // Before the page of one webhook, whose path has an id where this has a name.
  addWebhookList(pages, services)
  addWebhook(pages)
}
