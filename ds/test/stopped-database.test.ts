/** What a service that was stopped leaves: a database in one file, which can be copied. */
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { startDistributionService } from '../../test/bed/distribution-service.ts'
import { runtimes } from '../../test/bed/service-runtimes.ts'
import { createLabel } from './harness/arrange.ts'

test.each(['Node', 'Deno'] as const)(
  'a service on %s that has listed devices and is stopped leaves its database in one file',
  async (runtime) => {
    const service = await startDistributionService(runtimes[runtime])
    const token = await service.login()
    const listed = await service.request('GET', '/v3/devices', { token })
    expect(listed.status).toBe(200)
    await createLabel(service, token)
    expect(await service.pause()).toBe(0)

    const files = await readdir(dirname(service.database))
    expect(files.toSorted()).toEqual(['ds.sqlite', 'ds.sqlite.secret'])
    await service.stop()
  },
)
