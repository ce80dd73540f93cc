/** Webhooks on each runtime and engine: signed events that come at least once, in order, and to no address that is not allowed. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import type { Leg } from '../../../test/bed/legs.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import type { Runtime } from '../../../test/bed/service-runtimes.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { withDatabase } from '../harness/stored-data.ts'
import {
  startWebhookReceiver,
  verify,
  type WebhookReceiver,
  withStatus,
} from '../harness/webhook-receiver.ts'

export function webhookSuite(leg: Leg, runtime: Runtime): void {
  describe('webhooks', () => {
    let service: DistributionService
    let receiver: WebhookReceiver

    beforeAll(async () => {
      receiver = await startWebhookReceiver()
      service = await startDistributionService(runtime, {
        DS_WEBHOOK_PRIVATE_ADDRESSES: 'on',
        DS_MAX_REACH: 'any',
      })
    })
    afterAll(async () => {
      await service?.stop()
      await receiver?.stop()
    })
    afterEach(async () => {
      receiver.answer = withStatus(204)
      const { items } = getData(await admin('GET', '/v3/webhooks?size=100'))
      for (const { id } of items) await admin('DELETE', `/v3/webhooks/${id}`)
      receiver.received.length = 0
    })

    const admin = async (method: string, path: string, body?: Json) =>
      service.request(method, path, { token: await service.login(), ...(body && { body }) })

    async function create(changes: Json = {}): Promise<Json> {
      const id = crypto.randomUUID()
      const body = { name: 'Test', url: receiver.url, events: ['rollout.halted'], ...changes }
      const response = await admin('PUT', `/v3/webhooks/${id}`, body)
      expect(response.status).toBe(201)
      return getData(response)
    }
    const read = async (id: string) => getData(await admin('GET', `/v3/webhooks/${id}`))

    /** A rollout that an administrator halts. */
    async function haltRollout(): Promise<{ id: string; version: string }> {
      const id = crypto.randomUUID()
      const token = await service.login()
      const { id: version } = await createVersion(service, token, { uris: [] })
      const stages = [{ share: 100, holdS: 86_400 }]
      getData(await admin('PUT', `/v3/rollouts/${id}`, { version, flag: 'recommended', stages }))
      getData(await admin('PUT', `/v3/rollouts/${id}/state`, { state: 'running' }))
      getData(await admin('PUT', `/v3/rollouts/${id}/state`, { state: 'paused' }))
      getData(await admin('PUT', `/v3/rollouts/${id}/state`, { state: 'halted' }))
      return { id, version }
    }

    /** What the platform does each minute: elsewhere the service does it by itself. */
    const tick = async () => {
      if (leg.startsWith('workerd')) await fetch(`${service.url}/cdn-cgi/handler/scheduled`)
    }
    /** Waits for so many events of a type, and resolves with them. */
    async function waitFor(count: number, type = 'rollout.halted') {
      const sent = async () => {
        if (receiver.of(type).length < count) await tick()
        return receiver.of(type).length
      }
      await expect.poll(sent).toBe(count)
      return receiver.of(type)
    }
    /** As if the time had passed until an event is sent again, or a lease is over. */
    const passTime = () =>
      withDatabase(service, ({ run }) => run('update webhooks set next_at = 0, lease_until = 0'))

    test('an event is sent once to each webhook that wants it, with a signature that others verify', async () => {
      proves('webhook-signed', 'webhook-events')
      const webhook = await create()
      const other = await create({ events: ['device.approved'] })
      expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      const { id, version } = await haltRollout()
      const [event] = await waitFor(1)
      if (!event) throw new Error('no event')
      expect(verify(webhook.secret, event)).toMatchObject({ type: 'rollout.halted' })
      expect(() => verify(other.secret, event)).toThrow()
      expect(event.json).toEqual({
        id: event.headers['webhook-id'],
        type: 'rollout.halted',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        subject: `rollouts/${id}`,
        data: { rollout: id, version, by: expect.objectContaining({ name: 'admin' }) },
      })
      await haltRollout()
      expect(await waitFor(2)).toHaveLength(2)
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    })

    test('the secret is in no later response, and two sign while it is replaced', async () => {
      proves('webhook-secret')
      const webhook = await create()
      expect(JSON.stringify(await read(webhook.id))).not.toContain('whsec_')
      const rotated = getData(
        await admin('POST', `/v3/webhooks/${webhook.id}/secret`, { overlap: 60 }),
      )
      expect(rotated.secret).not.toBe(webhook.secret)
      expect(rotated.replacedSecretUntil).toBeDefined()
      await admin('POST', `/v3/webhooks/${webhook.id}/test`)
      const [both] = receiver.of('webhook.test')
      if (!both) throw new Error('no test')
      for (const secret of [webhook.secret, rotated.secret]) verify(secret, both)
      await withDatabase(service, ({ run }) => run('update webhooks set previous_until = 1'))
      await admin('POST', `/v3/webhooks/${webhook.id}/test`)
      const [, one] = receiver.of('webhook.test')
      if (!one) throw new Error('no test')
      verify(rotated.secret, one)
      expect(() => verify(webhook.secret, one)).toThrow()
      const stored = await withDatabase(service, ({ run }) => run('select * from webhooks'))
      expect(JSON.stringify(stored)).not.toContain(rotated.secret.slice('whsec_'.length))
      const { text } = await admin('GET', '/v3/audit?kind=webhook&size=100')
      expect(text).not.toContain('whsec_')
      expect(service.output()).not.toContain(rotated.secret)
    })

    test('an event that was not accepted is sent again with the same ID, also after a restart, and the next ones wait', async () => {
      proves('webhook-retry')
      receiver.answer = withStatus(500)
      const webhook = await create()
      const first = await haltRollout()
      const second = await haltRollout()
      await waitFor(1)
      await expect
        .poll(async () => (await read(webhook.id)).lastFailure)
        .toMatchObject({ status: 500 })
      expect(await read(webhook.id)).toMatchObject({ state: 'active' })
      await service.pause()
      receiver.answer = withStatus(200)
      await passTime()
      await service.resume()
      const [failed, again, next] = await waitFor(3)
      expect(again?.headers['webhook-id']).toBe(failed?.headers['webhook-id'])
      expect([failed, again, next].map((one) => one?.json.subject)).toEqual([
        ...[`rollouts/${first.id}`, `rollouts/${first.id}`, `rollouts/${second.id}`],
      ])
      await expect.poll(async () => (await read(webhook.id)).lastFailure).toBeUndefined()
      const { items } = getData(await admin('GET', `/v3/webhooks/${webhook.id}/deliveries`))
      expect(items.map(({ outcome, attempt, status }: Json) => [outcome, attempt, status])).toEqual(
        [
          ['delivered', 1, 200],
          ['delivered', 2, 200],
          ['failed', 1, 500],
        ],
      )
    })

    test('an event whose service is killed after it was sent comes again after the restart', async () => {
      proves('webhook-retry')
      const gone = Promise.withResolvers<void>()
      receiver.answer = () => gone.resolve()
      await create()
      const { id } = await haltRollout()
      const ticked = tick().catch(() => undefined)
      await gone.promise
      await service.pause('SIGKILL')
      await ticked
      receiver.answer = withStatus(200)
      await passTime()
      await service.resume()
      const [before, after] = await waitFor(2)
      expect(after?.json.subject).toBe(`rollouts/${id}`)
      expect(after?.headers['webhook-id']).toBe(before?.headers['webhook-id'])
    })

    test('410 disables a webhook, no redirect is followed, and an endless response ends', async () => {
      proves('webhook-receiver')
      const webhook = await create()
      const runTest = async () => getData(await admin('POST', `/v3/webhooks/${webhook.id}/test`))
      receiver.answer = withStatus(302, { location: `${receiver.url}/elsewhere` })
      expect(await runTest()).toMatchObject({ outcome: 'failed', status: 302 })
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
      receiver.answer = (response) => {
        response.writeHead(200)
        const write = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        }
        response.on('drain', write)
        write()
      }
      expect(await runTest()).toMatchObject({ outcome: 'delivered', status: 200 })
      receiver.answer = withStatus(410)
      await haltRollout()
      await waitFor(1)
      await expect.poll(async () => (await read(webhook.id)).state).toBe('disabled')
      receiver.answer = withStatus(204)
      const body = { name: 'Test', url: receiver.url, events: ['rollout.halted'] }
      expect(getData(await admin('PUT', `/v3/webhooks/${webhook.id}`, body)).state).toBe('active')
      await waitFor(2)
    })

    test('an event is sent once more when an administrator wants it', async () => {
      proves('webhook-log')
      const webhook = await create({ events: ['device.approved', 'administrator.added'] })
      const version = await createVersion(service, await service.login())
      const device = await createDevice(service, version)
      await withDatabase(service, ({ run }) => run('update devices set approved = false'))
      getData(await admin('POST', `/v3/devices/${device.id}/approve`))
      const [event] = await waitFor(1, 'device.approved')
      expect(event?.json).toMatchObject({
        subject: `devices/${device.id}`,
        data: { device: device.id },
      })
      const path = `/v3/webhooks/${webhook.id}/deliveries`
      await expect.poll(async () => getData(await admin('GET', path)).total).toBe(1)
      const { items } = getData(await admin('GET', path))
      const again = getData(await admin('POST', `${path}/${items[0].id}/redeliver`))
      expect(again).toMatchObject({ outcome: 'delivered', attempt: 0, event: items[0].event })
      const [, second] = receiver.of('device.approved')
      expect(second?.json).toEqual(event?.json)
      const unknown = await admin('POST', `${path}/${crypto.randomUUID()}/redeliver`)
      expect([unknown.status, unknown.json.code]).toEqual([404, 'delivery-unknown'])
    })

    test('a webhook has a bounded URL, known events, and an address that is allowed', async () => {
      proves('webhook-address')
      const put = async (changes: Json) => {
        const body = { name: 'Test', url: receiver.url, events: ['rollout.halted'], ...changes }
        return admin('PUT', `/v3/webhooks/${crypto.randomUUID()}`, body)
      }
      for (const changes of [
        { url: `https://example.com/${'x'.repeat(2000)}` },
        { url: 'ftp://example.com/' },
        { url: 'https://user:password@example.com/' },
        { events: [] },
        { events: ['rollout.halted', 'rollout.halted'] },
        { events: ['webhook.test'] },
      ])
        expect([changes, (await put(changes)).status]).toEqual([changes, 422])
      for (const url of [
        'http://example.com/',
        'https://169.254.169.254/latest/meta-data',
        'https://[fe80::1]/',
        'https://[64:ff9b::7f00:1]/',
        'https://0.0.0.0/',
      ]) {
        const { status, json } = await put({ url })
        expect([url, status, json.code]).toEqual([url, 422, 'webhook-address-refused'])
      }
      const created = await Promise.all(Array.from({ length: 22 }, () => put({})))
      expect(created.map(({ status }) => status).toSorted()).toEqual([
        ...Array.from({ length: 20 }, () => 201),
        ...[409, 409],
      ])
    })
  })
}
