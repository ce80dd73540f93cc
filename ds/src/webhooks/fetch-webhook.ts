/** Sends requests to webhooks on Workers, whose platform reaches no private network. */
import type { PostWebhook } from '../ports.ts'
import { findAddressFault } from '../rules/webhook-address.ts'
import type { Settings } from '../settings.ts'

export const createFetchPost =
  ({ webhookPrivateAddresses }: Pick<Settings, 'webhookPrivateAddresses'>): PostWebhook =>
  async ({ url, headers, body, signal }) => {
    if (findAddressFault(url, webhookPrivateAddresses) !== undefined)
      return { reason: 'address-refused' }
    try {
      const response = await fetch(url, {
        ...{ method: 'POST', headers, body, signal },
        redirect: 'manual',
      })
      await response.body?.cancel()
      return { status: response.status }
    } catch {
      return { reason: signal.aborted ? 'timeout' : 'connection-failed' }
    }
  }
