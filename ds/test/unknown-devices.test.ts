/** Requests of devices that the service does not know: anyone can send them, and they keep no device from syncing. */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createVersion } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { startInProcess } from './harness/in-process.ts'

test('strangers take no place of a device, with whatever operation they come', async () => {
  proves('strangers-hog-sync')
  const held = Promise.withResolvers<void>()
  let signing = 0
  const ds = await startInProcess({}, (services) => {
    const sign: typeof services.keyring.sign = async (...parameters) => {
      // Refusals are signed, and the replies of devices: only those of strangers are held.
      const claims = parameters[2] as { readonly code?: string }
      if (claims.code === 'device-unknown') {
        signing += 1
        await held.promise
      }
      return services.keyring.sign(...parameters)
    }
    return { ...services, keyring: { ...services.keyring, sign } }
  })
  onTestFinished(() => ds.stop())
  const device = await createDevice(ds, await createVersion(ds, await ds.login()))
  const ask = async (path: string) => {
    const sub = randomUUID()
    const token = await device.createAssertion('{}', { path, claims: { sub, iss: sub } })
    const { status, json } = await ds.request('POST', path, { token, body: {} })
    return [status, json.code]
  }
  const paths = Array.from({ length: 100 }, (_, at) =>
    at % 2 === 0 ? '/v3/devices/sync' : '/v3/devices/logs',
  )
  const answers = paths.map(ask)
  const rejected = await Promise.race(answers)
  expect(rejected).toEqual([503, 'service-busy'])
  expect((await device.sync()).status).toBe(200)
  held.resolve()
  const statuses = (await Promise.all(answers)).map(([status]) => status)
  expect(statuses.filter((status) => status === 404).length).toBe(4)
  expect(signing).toBe(4)
  expect(await ask('/v3/devices/sync')).toEqual([404, 'device-unknown'])
})
