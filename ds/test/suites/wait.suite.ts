/** Waiting for news: what ends a wait, what a device missed before one, and who may not wait. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json, ServiceResponse } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'
import {
  createDevice,
  createIdentity,
  type Device,
  type RequestChanges,
} from '../harness/device.ts'

const path = '/v3/devices/wait'

/** `holds`: whether this runtime lets a request wait. */
export function waitSuite(service: () => DistributionService, { holds }: { holds: boolean }): void {
  const version = async (overrides: Json = {}) =>
    createVersion(service(), await service().login(), overrides)
  const admin = async (method: string, to: string, body?: Json) =>
    getData(await service().request(method, to, { token: await service().login(), body }))
  /** A device that has synchronized, and how far its news reaches. */
  async function createWaiting(own?: Json) {
    const device = await createDevice(service(), own ?? (await version()))
    const { reply } = await device.sync()
    return { device, since: reply.wait?.since ?? 0, offer: reply.wait }
  }
  const wait = (device: Device, since: number, changes: RequestChanges = {}) =>
    device.request('GET', `${path}?since=${since}`, undefined, { path, ...changes })
  /** Waits until the service asks it to synchronize, as often as a connector asks. */
  async function waitForNews(device: Device, since: number): Promise<Json> {
    const answer = getData(await wait(device, since))
    return answer.sync ? answer : waitForNews(device, answer.since ?? since)
  }

  if (!holds) {
    test('a runtime that can hold no request offers none, and answers one at once', async () => {
      proves('news-in-a-minute')
      const { device, offer } = await createWaiting()
      expect(offer).toBeUndefined()
      expect(getData(await wait(device, 0))).toEqual({ sync: false, afterS: 3600 })
    })
  } else {
    test('each reply offers a wait, which a change of the device ends at once', async () => {
      proves('news-in-a-minute')
      const { device, since, offer } = await createWaiting()
      expect(offer).toEqual({ since: expect.any(Number), holdS: 50 })
      const waiting = waitForNews(device, since)
      await admin('POST', `/v3/devices/${device.id}/approve`)
      const answer = await waiting
      expect(answer).toEqual({ sync: true, afterS: expect.any(Number) })
      expect(answer.afterS).toBeLessThan(1)
    })

    test('a change between a sync and the wait is answered at once, and no change of another device', async () => {
      proves('news-in-a-minute')
      const own = await version()
      const { device, since } = await createWaiting(own)
      const other = await createDevice(service(), own)
      await admin('POST', `/v3/devices/${other.id}/block`)
      const waiting = waitForNews(device, since)
      // Were it woken by the change of the other one, this would come too late to be what it waited for.
      await admin('POST', `/v3/devices/${other.id}/unblock`)
      await admin('POST', `/v3/devices/${device.id}/approve`)
      expect((await waiting).sync).toBe(true)
      expect(await waitForNews(device, since)).toMatchObject({ sync: true })
      const { reply } = await device.sync()
      expect(reply.wait.since).toBeGreaterThan(since)
    })

    test('all that run a version, or may run it, are woken when it changes', async () => {
      proves('news-in-a-minute')
      const own = await version()
      const { device, since } = await createWaiting(own)
      const waiting = waitForNews(device, since)
      await admin('PATCH', `/v3/versions/${own.id}`, {
        allowed: false,
      })
      expect((await waiting).sync).toBe(true)
    })

    test('an emergency stop wakes all that wait, within a minute', async () => {
      proves('news-in-a-minute', 'emergency-stop')
      const id = crypto.randomUUID()
      const { id: offered } = await version({ uris: [] })
      const stages = [{ share: 100, holdS: 86_400 }]
      await admin('PUT', `/v3/rollouts/${id}`, { version: offered, flag: 'recommended', stages })
      await admin('PUT', `/v3/rollouts/${id}/state?force=true`, { state: 'running' })
      for (const body of [{}, { version: offered }]) {
        const { device, since } = await createWaiting()
        const waiting = waitForNews(device, since)
        await admin('POST', '/v3/rollouts/halt', body)
        const answer = await waiting
        expect(answer.sync).toBe(true)
        expect(answer.afterS).toBeLessThan(60)
      }
      await admin('DELETE', `/v3/rollouts/${id}`)
    })

    test('POST /v3/devices/{id}/sync-now wakes the device that waits, and changes nothing', async () => {
      proves('sync-now')
      const { device, since } = await createWaiting()
      const before = await admin('GET', `/v3/devices/${device.id}`)
      const waiting = waitForNews(device, since)
      // A page of the device has more than its row.
      expect(before).toMatchObject(await admin('POST', `/v3/devices/${device.id}/sync-now`))
      expect((await waiting).sync).toBe(true)
      expect(await admin('GET', `/v3/devices/${device.id}`)).toEqual(before)
    })

    test('a change of many devices asks those to sync that a filter finds, no more than were confirmed, and none that is blocked', async () => {
      proves('sync-now', 'affected-known')
      const own = await version()
      const [one, two, blocked] = [
        await createWaiting(own),
        await createWaiting(own),
        await createWaiting(own),
      ]
      await admin('POST', `/v3/devices/${blocked.device.id}/block`)
      const change = async (maxReach: number) =>
        service().request(
          'PUT',
          `/v3/device-changes/${crypto.randomUUID()}?version=${own.id}&maxReach=${maxReach}`,
          { token: await service().login(), body: { change: 'sync' } },
        )
      expect(toOutcome(await change(1))).toEqual([409, 'reach-exceeded'])
      const waiting = [waitForNews(one.device, one.since), waitForNews(two.device, two.since)]
      expect(getData(await change(2))).toMatchObject({
        change: 'sync',
        reach: 2,
        done: 2,
        finished: true,
      })
      expect((await Promise.all(waiting)).map(({ sync }) => sync)).toEqual([true, true])
      const stored = await admin('GET', `/v3/devices/${blocked.device.id}`)
      expect(stored).toMatchObject({ blocked: true, approved: true })
    })

    test('a wait stores nothing, and is no sync', async () => {
      const { device, since } = await createWaiting()
      const read = () => admin('GET', `/v3/devices/${device.id}`)
      const before = await read()
      const waiting = waitForNews(device, since)
      expect(await read()).toEqual(before)
      await admin('POST', `/v3/devices/${device.id}/approve`)
      await waiting
      expect(await read()).toEqual({ ...before })
    })
  }

  const attacks: [string, number, string, () => Promise<RequestChanges> | RequestChanges][] = [
    ['an assertion of a sync', 401, 'assertion-refused', () => ({ path: '/v3/devices/sync' })],
    ['an assertion of a POST', 401, 'assertion-refused', () => ({ method: 'POST' })],
    ['another key', 401, 'assertion-refused', createOtherSigner],
    ['no token', 401, 'assertion-refused', () => ({ token: '' })],
    ['a token that is none', 401, 'assertion-refused', () => ({ token: 'a.b.c' })],
  ]
  test.each(attacks)('GET /v3/devices/wait refuses %s', async (_, status, code, twist) => {
    proves('wait-of-another', 'assertion-elsewhere')
    const { device, since } = await createWaiting()
    const refused = await wait(device, since, await twist())
    expect(toOutcome(refused)).toEqual([status, code])
  })

  test('an assertion of a wait is refused for a sync, and for the wait of another device', async () => {
    proves('wait-of-another', 'assertion-elsewhere')
    const own = await version()
    const { device, since } = await createWaiting(own)
    const { device: other } = await createWaiting(own)
    const token = await device.createAssertion('', { method: 'GET', path })
    expect(toOutcome(await device.sync({}, { token }))).toEqual([401, 'assertion-refused'])
    const claims = { iss: other.id, sub: other.id }
    expect(toOutcome(await wait(device, since, { claims }))).toEqual([401, 'assertion-refused'])
  })

  test('a device that is blocked, or was removed, is refused as with a sync', async () => {
    proves('wait-of-another')
    const { device, since } = await createWaiting()
    await admin('POST', `/v3/devices/${device.id}/block`)
    const blocked = await wait(device, since)
    expect(toOutcome(blocked)).toEqual([403, 'device-blocked'])
    expect(blocked.json.refusal).toEqual(expect.any(String))
    await admin('DELETE', `/v3/devices/${device.id}`)
    expect(toOutcome(await wait(device, since))).toEqual([404, 'device-unknown'])
  })

  test('a wait refuses a web page, whatever it sends', async () => {
    proves('wait-of-another')
    const { device } = await createWaiting()
    const { status, json } = await service().request('GET', path, {
      token: await device.createAssertion('', { method: 'GET', path }),
      headers: { origin: 'https://shop.example' },
    })
    expect([status, json.code]).toEqual([403, 'page-refused'])
  })
}

const createOtherSigner = async () => ({ signer: (await createIdentity()).privateKey })

const toOutcome = ({ status, json }: ServiceResponse) => [status, json.code]
