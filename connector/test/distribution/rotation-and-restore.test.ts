/** Connectors and a service over time: rotated keys, restored backups, lost responses. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { HttpTransport } from '../../src/distribution/client/transport.ts'
import { type DeviceOptions, openDevice, type TestDevice } from './device.ts'
import { announceKey, dayMs, findKeyId, listReplyKeys, passTime, rotateKey } from './rotation.ts'

const version = '4.0.0'

let service: DistributionService
let installationKey: string
const devices: TestDevice[] = []

beforeAll(async () => {
  service = await startDistributionService()
  installationKey = (await service.registerVersion(version)).installationApiKey
})
afterAll(() => service.stop())
beforeEach(() => service.allow(version, ['https://a.example']))
afterEach(() => {
  for (const device of devices.splice(0)) device.close()
})

async function createSynchronizedDevice(options: Partial<DeviceOptions> = {}): Promise<TestDevice> {
  const device = await openDevice({ dsUrl: service.url, version, installationKey, ...options })
  devices.push(device)
  await device.syncOnce()
  return device
}

describe('a rotation of the reply keys', () => {
  /** What happens, one after the other. */
  const phases: readonly [string, () => Promise<unknown>][] = [
    ['announced', () => announceKey(service)],
    ['signing', () => passTime(service, dayMs + 1000)],
    ['alone', () => passTime(service, dayMs + 1000)],
  ]

  test.each(phases.map(([name], at) => [name, at] as const))(
    'keeps a device that was offline until the new key is %s',
    async (_, until) => {
      proves('service-key-rotation')
      const [away, present] = [await createSynchronizedDevice(), await createSynchronizedDevice()]
      const before = await findKeyId(service, 'signing')
      for (const [, happens] of phases.slice(0, until + 1)) {
        await happens()
        await present.syncOnce()
      }
      expect((await findKeyId(service, 'signing')) === before).toBe(until === 0)
      await service.allow(version, ['https://new.example'])
      for (const device of [away, present]) {
        await device.syncOnce()
        expect(device.policy()?.cors).toEqual(['https://new.example'])
        expect((await device.restart()).policy()).toEqual(device.policy())
      }
      for (const [, happens] of phases.slice(until + 1)) await happens()
      await away.syncOnce()
    },
  )

  test('that retires a lost key at once keeps every device', async () => {
    const known = await createSynchronizedDevice()
    await service.admin(
      'DELETE',
      `/v3/signing-keys/${await findKeyId(service, 'signing')}?maxReach=999999999`,
    )
    await service.allow(version, ['https://after.example'])
    await known.syncOnce()
    expect(known.policy()?.cors).toEqual(['https://after.example'])
    // The next one stands by already.
    await service.admin(
      'DELETE',
      `/v3/signing-keys/${await findKeyId(service, 'signing')}?maxReach=999999999`,
    )
    await known.syncOnce()
  })

  test('that replaced every key while a machine was off is trusted when the settings name a new key', async () => {
    // A service that does not say how its keys followed each other.
    const mute =
      (link: HttpTransport): HttpTransport =>
      async (call) =>
        call.url.endsWith('/successions')
          ? { status: 404, headers: {}, body: new Uint8Array() }
          : link(call)
    const known = await createSynchronizedDevice({ wrapTransport: mute })
    for (let lost = 0; lost < 2; lost += 1)
      await service.admin(
        'DELETE',
        `/v3/signing-keys/${await findKeyId(service, 'signing')}?maxReach=999999999`,
      )
    await service.allow(version, ['https://new.example'])
    await expect(known.syncOnce()).rejects.toThrow('CARDWIRE_DS_FINGERPRINTS')
    expect(known.policy()?.cors).toEqual(['https://a.example'])
    const fingerprints = [await findKeyId(service, 'signing')]
    const restarted = await known.restart({ fingerprints, installationKey: undefined })
    await restarted.syncOnce()
    expect(restarted.policy()?.cors).toEqual(['https://new.example'])
    expect(restarted.state()?.device).toBe(known.state()?.device)
  })
})

describe('a service that was restored from a backup', () => {
  test('is trusted, although its revision is lower', async () => {
    proves('restored-service-trusted')
    const known = await createSynchronizedDevice()
    const backup = await service.backUp()
    for (const name of ['b', 'c']) {
      await service.allow(version, [`https://${name}.example`])
      await known.syncOnce()
    }
    const later = known.policy()?.revision ?? 0
    await service.restore(backup)
    await known.syncOnce()
    expect(known.policy()?.cors).toEqual(['https://a.example'])
    expect(known.policy()?.revision).toBeLessThan(later)
  })

  test('is followed from a fingerprint in the settings, when the keys of the device came later', async () => {
    proves('restored-service-trusted')
    const fingerprints = (await listReplyKeys(service)).map(({ id }) => id)
    const known = await createSynchronizedDevice({ fingerprints })
    for (let n = 0; n < 2; n += 1) await rotateKey(service)
    const backup = await service.backUp()
    for (let n = 0; n < 2; n += 1) await rotateKey(service)
    await known.syncOnce()
    await service.restore(backup)
    await service.allow(version, ['https://restored.example'])
    await known.syncOnce()
    expect(known.policy()?.cors).toEqual(['https://restored.example'])
  })

  test('registers a device again that is younger than the backup', async () => {
    const backup = await service.backUp()
    const young = await createSynchronizedDevice()
    await service.restore(backup)
    await young.syncOnce()
    expect(young.policy()?.aud).toBe(young.state()?.device)
    expect(young.logged.join()).toContain('the service no longer knows this device')
  })
})

test('a lost response changes nothing, and the next one is applied', async () => {
  let lose = false
  const losing =
    (link: HttpTransport): HttpTransport =>
    async (call) => {
      const answer = await link(call)
      if (lose) throw new Error('the response is incomplete')
      return answer
    }
  const known = await createSynchronizedDevice({ wrapTransport: losing })
  await service.allow(version, ['https://b.example'])
  lose = true
  await expect(known.syncOnce()).rejects.toThrow('the response is incomplete')
  expect(known.policy()?.cors).toEqual(['https://a.example'])
  lose = false
  await known.syncOnce()
  expect(known.policy()?.cors).toEqual(['https://b.example'])
})
