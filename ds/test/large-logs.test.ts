/** What the service reads when a device uploads its logs: not those of the others, of up to 1 MiB each. */
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createVersion } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { startInProcess } from './harness/in-process.ts'

test('an upload finds the oldest logs by an index, without reading their rows', async () => {
  proves('logs-read')
  const ds = await startInProcess()
  try {
    const { driver } = ds
    const device = await createDevice(ds, await createVersion(ds, await ds.login()))
    const recorded: Parameters<typeof driver.run>[0][] = []
    const { batch } = driver
    Object.assign(driver, {
      batch: (statements: Parameters<typeof batch>[0]) => {
        recorded.push(...statements)
        return batch(statements)
      },
    })
    const { status } = await device.request('POST', '/v3/devices/logs', new Uint8Array([1]))
    expect(status).toBe(200)
    const plans = await Promise.all(
      recorded
        .filter(({ sql }) => sql.includes('"device_logs"'))
        .map(({ sql, params }) => driver.run({ sql: `explain query plan ${sql}`, params })),
    )
    const steps = plans.flat().map((row) => String(row.at(-1)))
    expect(steps.some((step) => /^S\w+ device_logs USING COVERING INDEX/.test(step))).toBe(true)
    expect(steps.filter((step) => /^SCAN device_logs$/.test(step))).toEqual([])
  } finally {
    await ds.stop()
  }
})
