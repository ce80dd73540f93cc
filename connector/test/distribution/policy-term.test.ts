/** The term of a policy as the real service signs it: each synchronization renews it, and a restart finds it again. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { openDevice, type TestDevice } from './device.ts'

const version = '4.0.0'
const days = 86_400_000

let service: DistributionService
let device: TestDevice

beforeAll(async () => {
  service = await startDistributionService()
})
afterAll(() => service.stop())
afterEach(() => device.close())

const setMaxAge = async (settings: Readonly<Record<string, string>>) => {
  await service.pause()
  await service.resume(settings)
}

test('A service that sets a maximum age ends the policy so long after each synchronization, and one that sets none does not', async () => {
  proves('service-kept-away')
  await setMaxAge({ DS_POLICY_MAX_AGE: '0' })
  const { installationApiKey } = await service.registerVersion(version)
  device = await openDevice({ dsUrl: service.url, version, installationKey: installationApiKey })
  await device.syncOnce()
  expect([device.term(), (await device.loadState())?.term]).toEqual([undefined, undefined])

  await setMaxAge({})
  await device.syncOnce()
  const first = device.term() ?? { from: 0, until: 0 }
  expect(Math.abs(first.until - Date.now() - 30 * days)).toBeLessThan(60_000)
  await device.syncOnce()
  expect(device.calls.at(-1)?.body.length).toBeLessThan(1500)
  const renewed = device.term() ?? first
  expect(renewed.until).toBeGreaterThan(first.until)
  expect((await device.restart()).term()).toEqual(renewed)

  const path = join(device.runtime, 'service.json')
  const stored = JSON.parse(readFileSync(path, 'utf8'))
  const [header, payload, signature] = stored.confirmation.reply.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const later = JSON.stringify({ ...claims, exp: claims.exp + 31_536_000 })
  const forged = [header, Buffer.from(later).toString('base64url'), signature].join('.')
  const changed = { ...stored, confirmation: { ...stored.confirmation, reply: forged } }
  writeFileSync(path, JSON.stringify(changed))
  expect((await device.restart()).term()).toEqual(first)

  await setMaxAge({ DS_POLICY_MAX_AGE: '0' })
  await device.syncOnce()
  expect([device.term(), (await device.loadState())?.term]).toEqual([undefined, undefined])
})
