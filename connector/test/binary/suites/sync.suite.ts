/** A compiled connector applies what an administrator configures at the service. */

import { once } from 'node:events'
import { request } from 'node:https'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Connector, runCommand, startConnector } from '../../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { type HttpsRequestOptions, requestHttps } from '../../../../test/bed/https-client.ts'
import { asPage, giveConsent } from '../../../../test/bed/page.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { createFaketimePrefix } from '../clock.ts'
import { type Managed, version } from '../managed.ts'

const [first, second] = ['https://first.example', 'https://second.example']

let display: Display

/** With the management token, unless there is another. */
const askAsPage = (
  connector: Connector,
  origin: string,
  path: string,
  options: HttpsRequestOptions = {},
) => connector.request(path, asPage(origin, undefined, { token: connector.token, ...options }))

async function consent(connector: Connector, origin: string): Promise<void> {
  await giveConsent(display.copy, (path, body) => connector.request(path, asPage(origin, body)))
}

/** Opens the stream of reader events as a page; `ended` when the connector closes it. */
async function openStream({ port, ca }: Connector, origin: string, token: string) {
  const sent = request({
    host: '127.0.0.1',
    port,
    servername: 'localhost',
    ca,
    path: '/v3/readers/events',
    headers: {
      origin,
      'x-csrf-token': 't1c-js',
      'sec-fetch-site': 'cross-site',
      authorization: `Bearer ${token}`,
    },
  })
  sent.end()
  const [response] = await once(sent, 'response')
  const ended = once(response.resume(), 'end')
  return { status: response.statusCode, ended }
}

export const syncSuite = (managed: Managed) =>
  describe('synchronization', () => {
    beforeAll(async () => {
      display = await startDisplay()
    })
    afterAll(() => display?.stop())

    beforeEach(() => managed.service.allow(version, [first]))

    describe('an allowlist that an administrator changes', () => {
      test('is in force after the next synchronization, for open streams and the registry too, without a restart', async () => {
        proves('background-sync', 'allowlist-without-restart')
        const registryPort = await findFreePort()
        const connector = await managed.startSynchronized({
          ...display.settings,
          CARDWIRE_REGISTRY_PORT: String(registryPort),
        })
        const token = await managed.service.applicationToken()
        await consent(connector, first)
        expect((await askAsPage(connector, first, '/v3/version', { token })).status).toBe(200)
        expect((await askAsPage(connector, second, '/v3/version', { token })).json.code).toBe(
          '104002',
        )
        const stream = await openStream(connector, first, token)
        expect(stream.status).toBe(200)

        await managed.service.allow(version, [second])
        expect(managed.cardwire(['sync']).status).toBe(0)
        // Soon: a page does not read a stream that is no longer its own.
        const startedAt = performance.now()
        await stream.ended
        expect(performance.now() - startedAt).toBeLessThan(2000)
        const refused = await askAsPage(connector, first, '/v3/version', { token })
        expect([refused.status, refused.json.code]).toEqual([403, '104002'])
        expect(refused.headers['access-control-allow-origin']).toBeUndefined()
        await consent(connector, second)
        expect((await askAsPage(connector, second, '/v3/version', { token })).status).toBe(200)
        const registry = async (origin: string) =>
          (
            await requestHttps(registryPort, connector.ca, '/info', {
              headers: { origin, 'sec-fetch-site': 'cross-site' },
            })
          ).status
        await expect.poll(() => registry(second)).toBe(200)
        await expect.poll(() => registry(first)).toBe(403)

        // The page itself asks, as the clients' dsCorsSync does.
        await managed.service.allow(version, [first, second])
        expect((await askAsPage(connector, second, '/v3/agents', { token })).status).toBe(200)
        const again = () => askAsPage(connector, first, '/v3/version', { token })
        await expect.poll(async () => (await again()).status).toBe(200)
      })

      test('replaces the list of the settings', async () => {
        await managed.pause()
        const connector = await managed.start({ CARDWIRE_CORS: 'https://settings.example' })
        const status = async (origin: string) =>
          (await askAsPage(connector, origin, '/info')).status
        expect([await status('https://settings.example'), await status(first)]).toEqual([200, 403])
        expect((await connector.request('/info')).json.data.t1CInfoAPI.status).toBe('UNREGISTERED')
        expect(managed.cardwire(['sync'])).toMatchObject({
          status: 1,
          stdout: expect.stringMatching(/not registered[\s\S]*✗ not synced: Cannot reach/),
        })
        await managed.service.resume()
        expect(managed.cardwire(['sync']).status).toBe(0)
        expect([await status('https://settings.example'), await status(first)]).toEqual([403, 200])
        expect((await connector.request('/info')).json.data.t1CInfoAPI).toMatchObject({
          status: 'ACTIVATED',
          cors: [first],
          service: { distributionServiceUrl: managed.service.url },
        })
      })
    })

    test('A machine without network keeps its policy and token keys, also after a restart', async () => {
      proves('offline-policy')
      await (await managed.startSynchronized()).stop()
      const token = await managed.service.applicationToken()
      await managed.pause()
      const connector = await managed.start({ CARDWIRE_INSTALLATION_KEY: '' })
      expect((await connector.request('/info')).json.data.t1CInfoAPI).toMatchObject({
        status: 'ACTIVATED',
        cors: [first],
      })
      expect((await connector.request('/v3/version', { token })).status).toBe(200)
      expect((await connector.request('/v3/version', { token: `${token}x` })).status).toBe(401)
    })

    test('A policy that has expired refuses pages with 503, over restarts, until a sync succeeds', async () => {
      proves('policy-expiry')
      const { service, home } = managed
      await managed.pause()
      await service.resume({ DS_POLICY_MAX_AGE: '20' })
      managed.closing.push(service.pause)
      const today = await managed.startSynchronized(display.settings)
      const token = await service.applicationToken()
      await consent(today, first)
      await today.stop()
      await service.pause()

      const at = async (time: string) => {
        const settings = { ...managed.settings(), ...display.settings }
        const connector = await startConnector(settings, home, {
          commandPrefix: createFaketimePrefix(time),
        })
        managed.closing.push(connector.stop)
        return connector
      }
      const runAt = (time: string, args: readonly string[]) =>
        runCommand(home, args, { CARDWIRE_DS_URL: service.url }, createFaketimePrefix(time)).out
      expect(runAt('+12 days', ['sync'])).toMatch(/! the policy of the service ends on 20\d\d-/)
      expect(runAt('+12 days', ['doctor'])).toMatch(/! the policy of the service ends on 20\d\d-/)

      const later = await at('+21 days')
      const refused = await askAsPage(later, first, '/v3/version', { token })
      expect([refused.status, refused.json.code]).toEqual([503, '105001'])
      expect(refused.headers['access-control-allow-origin']).toBe(first)
      expect(later.output()).toContain('the policy has expired')
      const statuses = ['/info', '/device-key'].map((path) =>
        askAsPage(later, first, path, { token: null }),
      )
      expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200])
      expect(runAt('+21 days', ['sync'])).toMatch(/✗ the policy of the service ended on 20\d\d-/)

      // Without an end: it would be announced at this time.
      await service.resume({ DS_POLICY_MAX_AGE: '0' })
      expect(runAt('+21 days', ['sync'])).toContain('✓ synced')
      expect((await askAsPage(later, first, '/v3/version', { token })).status).toBe(200)
      await expect.poll(later.output).toContain('the policy holds again')
    })

    test('A token of a key that is newer than the last synchronization is valid', async () => {
      proves('new-key-token-valid')
      const connector = await managed.startSynchronized()
      const keys: { id: string; use: string; state: string }[] = await managed.service.admin(
        'GET',
        '/v3/signing-keys',
      )
      const signing = keys.find(({ use, state }) => use === 'application' && state === 'signing')
      await managed.service.admin('DELETE', `/v3/signing-keys/${signing?.id}?maxReach=999999999`)
      const token = await managed.service.applicationToken()
      expect((await connector.request('/v3/version', { token })).status).toBe(200)
    })

    test('A configuration applies to its own version only', async () => {
      proves('configuration-per-version')
      const { service } = managed
      await service.registerVersion('4.0.1', { allowed: false })
      await service.allow('4.0.1', [second])
      const connector = await managed.startSynchronized()
      const { cors } = (await connector.request('/info')).json.data.t1CInfoAPI
      expect(cors).toEqual([first])
    })

    test('A connector synchronizes by itself once per cycle', async () => {
      proves('background-sync')
      const { service } = managed
      await managed.pause()
      await service.resume({ DS_CYCLE: '1' })
      managed.closing.push(service.pause)
      const connector = await managed.startSynchronized()
      await service.allow(version, [second])
      const status = async (origin: string) => (await askAsPage(connector, origin, '/info')).status
      await expect.poll(() => status(second)).toBe(200)
      expect(await status(first)).toBe(403)
    })
  })
