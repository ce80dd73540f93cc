/** Webhooks in the admin console, in Chromium: created, tested, failing, with another secret, and removed. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { withDatabase } from '../harness/stored-data.ts'
import {
  startWebhookReceiver,
  verify,
  type WebhookReceiver,
  withStatus,
} from '../harness/webhook-receiver.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  startAdministration,
} from './administration.ts'

describe.runIf(existsSync(headlessProgram))('webhooks', () => {
  let administration: Administration
  let receiver: WebhookReceiver
  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    administration = await startAdministration({ DS_WEBHOOK_PRIVATE_ADDRESSES: 'on' })
  })
  afterAll(async () => {
    await administration?.stop()
    await receiver?.stop()
  })

  test.each([true, false])(
    'a webhook is added, tested, changed, gets another secret and is removed, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('webhook-form')
      const { page, faults, goTo } = await administration.openLoggedIn('webhooks', {
        javaScriptEnabled,
      })
      receiver.received.length = 0
      receiver.answer = withStatus(204)
      const press = (role: 'link' | 'button', name: string) =>
        page.getByRole(role, { name, exact: true }).first().press('Enter')
      await press('link', 'Add webhook')
      await page.getByLabel('Name').fill('On-call')
      await page.getByLabel('URL', { exact: true }).fill('https://169.254.169.254/')
      await page.getByLabel('A device is approved').check()
      await press('button', 'Save webhook')
      await page.getByText('can’t point to a private or local address').first().waitFor()
      expect(await page.getByLabel('A device is approved').isChecked()).toBe(true)
      await page.getByLabel('URL', { exact: true }).fill(receiver.url)
      await press('button', 'Save webhook')
      const first = (await page.locator('#webhook-secret').textContent()) ?? ''
      expect(first).toMatch(/^whsec_/)
      await press('link', 'Go to the webhook')
      await page.getByText('Nothing has been sent yet.').waitFor()
      expect(await page.content()).not.toContain(first)

      await press('button', 'Send test event')
      await page.getByRole('status').getByText('Test event sent').waitFor()
      await page.getByText('Delivered, HTTP 204').waitFor()
      receiver.answer = withStatus(500)
      await press('button', 'Send again')
      await page.getByText('Failed, HTTP 500').waitFor()
      const [sent, again] = receiver.of('webhook.test')
      if (!sent) throw new Error('no test')
      verify(first, sent)
      expect(again?.headers['webhook-id']).toBe(sent.headers['webhook-id'])
      if (javaScriptEnabled) await expectAccessible(page)
      await expectNoSidewaysScroll(page)

      await page.getByLabel('Name').fill('Night shift')
      await page.getByLabel('Send events').uncheck()
      await press('button', 'Save webhook')
      await page.getByRole('status').getByText('Webhook changed.').waitFor()
      await page.getByText('No events are sent.').waitFor()

      await press('link', 'Replace secret')
      await page.getByLabel('Keep signing with the old secret').selectOption('3600')
      await page.getByLabel(/to confirm/).fill('Night shift')
      await press('button', 'Replace secret')
      const second = (await page.locator('#webhook-secret').textContent()) ?? ''
      expect(second).not.toBe(first)
      await press('link', 'Go to the webhook')
      await page.getByText('Signed with both secrets until').waitFor()

      const { database, folder } = administration.service
      await withDatabase({ database, folder }, ({ run }) =>
        run("update webhooks set state = 'failing'"),
      )
      await goTo('webhooks')
      await page.getByText('Failing').waitFor()
      await press('link', 'Night shift')
      await page.getByText('hasn’t accepted the oldest event').waitFor()

      await press('link', 'Remove webhook')
      await page.getByLabel(/to confirm/).fill('Night shift')
      await press('button', 'Remove webhook')
      await page.getByRole('status').getByText('Webhook removed.').waitFor()
      expect(await administration.service.admin('GET', '/v3/webhooks')).toMatchObject({ total: 0 })
      // The page that said that the address is not allowed.
      expect(faults).toEqual([expect.stringContaining('status of 422')])
    },
  )
})
