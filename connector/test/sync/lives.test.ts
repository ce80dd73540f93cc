/** Connectors and a service over time: keys that change, backups that come back, services that are away. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Link } from '../../src/sync/link.ts'
import { type DeviceOptions, openDevice, type TestDevice } from './device.ts'
import {
  type DistributionService,
  registerVersion,
  startDistributionService,
} from './distribution-service.ts'
import { announce, dayMs, keyThat, pass } from './rotation.ts'

const version = '4.0.0'

let service: DistributionService
let installationKey: string
const devices: TestDevice[] = []

beforeAll(async () => {
  service = await startDistributionService()
  installationKey = (await registerVersion(service, version)).installationApiKey
})
afterAll(() => service.stop())
beforeEach(() => service.allow(version, ['https://a.example']))
afterEach(() => {
  for (const device of devices.splice(0)) device.close()
})

async function synchronised(options: Partial<DeviceOptions> = {}): Promise<TestDevice> {
  const device = await openDevice({ dsUrl: service.url, version, installationKey, ...options })
  devices.push(device)
  await device.once()
  return device
}

describe('a rotation of the keys of replies', () => {
  /** What happens, one after the other. */
  const phases: readonly [string, () => Promise<unknown>][] = [
    ['announced', () => announce(service)],
    ['signs', () => pass(service, dayMs + 1000)],
    ['alone', () => pass(service, dayMs + 1000)],
  ]

  test.each(phases.map(([name], at) => [name, at] as const))(
    'locks nobody out who was away until the new key is %s',
    async (_, until) => {
      const [away, present] = [await synchronised(), await synchronised()]
      const before = await keyThat(service, 'signing')
      for (const [, happens] of phases.slice(0, until + 1)) {
        await happens()
        await present.once()
      }
      expect((await keyThat(service, 'signing')) === before).toBe(until === 0)
      await service.allow(version, ['https://new.example'])
      for (const device of [away, present]) {
        await device.once()
        expect(device.policy()?.cors).toEqual(['https://new.example'])
        expect((await device.restart()).policy()).toEqual(device.policy())
      }
      for (const [, happens] of phases.slice(until + 1)) await happens()
      await away.once()
    },
  )

  test('that retires the first at once, because it is lost, locks nobody out', async () => {
    const known = await synchronised()
    await service.admin('DELETE', `/v3/signing-keys/${await keyThat(service, 'signing')}`)
    await service.allow(version, ['https://after.example'])
    await known.once()
    expect(known.policy()?.cors).toEqual(['https://after.example'])
    // The next one stands by already.
    await service.admin('DELETE', `/v3/signing-keys/${await keyThat(service, 'signing')}`)
    await known.once()
  })

  test('that replaced every key while a machine was off is believed when the settings name a new one', async () => {
    // A service that does not say how its keys followed each other.
    const mute =
      (link: Link): Link =>
      async (call) =>
        call.url.endsWith('/successions')
          ? { status: 404, headers: {}, body: new Uint8Array() }
          : link(call)
    const known = await synchronised({ between: mute })
    for (let lost = 0; lost < 2; lost += 1)
      await service.admin('DELETE', `/v3/signing-keys/${await keyThat(service, 'signing')}`)
    await service.allow(version, ['https://new.example'])
    await expect(known.once()).rejects.toThrow('CARDWIRE_DS_FINGERPRINTS')
    expect(known.policy()?.cors).toEqual(['https://a.example'])
    const told = await known.restart({ fingerprints: [await keyThat(service, 'signing')] })
    await told.once()
    expect(told.policy()?.cors).toEqual(['https://new.example'])
    expect(told.kept()?.device).toBe(known.kept()?.device)
  })
})

describe('a service that came back from a backup', () => {
  test('is believed, although its revision is lower', async () => {
    const known = await synchronised()
    const backup = await service.backUp()
    for (const name of ['b', 'c']) {
      await service.allow(version, [`https://${name}.example`])
      await known.once()
    }
    const later = known.policy()?.revision ?? 0
    await service.restore(backup)
    await known.once()
    expect(known.policy()?.cors).toEqual(['https://a.example'])
    expect(known.policy()?.revision).toBeLessThan(later)
  })

  test('takes a device again that is younger than the backup', async () => {
    const backup = await service.backUp()
    const young = await synchronised()
    await service.restore(backup)
    await young.once()
    expect(young.policy()?.aud).toBe(young.kept()?.device)
    expect(young.logged.join()).toContain('the service does not know this device any more')
  })
})

test('an answer that is lost on its way changes nothing, and the next one counts', async () => {
  let lose = false
  const losing =
    (link: Link): Link =>
    async (call) => {
      const answer = await link(call)
      if (lose) throw new Error('half an answer')
      return answer
    }
  const known = await synchronised({ between: losing })
  await service.allow(version, ['https://b.example'])
  lose = true
  await expect(known.once()).rejects.toThrow('half an answer')
  expect(known.policy()?.cors).toEqual(['https://a.example'])
  lose = false
  await known.once()
  expect(known.policy()?.cors).toEqual(['https://b.example'])
})
