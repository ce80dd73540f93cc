/** The compiled connector waits for news of its service. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { withService } from './managed.ts'

const managed = withService(runtimes.Node)

test('A connector that is blocked knows within seconds, without a sync of its cycle', async () => {
  proves('news-in-a-minute')
  const connector = await managed.startSynchronized()
  // Reads what the connector knows: nothing of it synchronizes.
  const read = async () => (await connector.request('/v3/sync')).json.data
  const { device } = await read()
  await managed.service.admin('POST', `/v3/devices/${device}/block`)
  const blockedAt = performance.now()
  await waitFor(async () => (await read()).code === 'device-blocked')
  // A gap of 5 s between syncs, a look of the service each second, and what a busy machine needs.
  expect(performance.now() - blockedAt).toBeLessThan(30_000)
})
