/** Copies of the keys at Kong, with a PostgreSQL database. */
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { expect, test } from 'vitest'
import { startDistributionService } from '../../../test/bed/distribution-service.ts'
import { startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createPostgresRuntime } from '../../../test/bed/service-runtimes.ts'
import { createKongStandIn } from '../gateway/kong-stand-in.ts'
import { createLabel, getData } from '../harness/arrange.ts'

test('keys follow their labels to Kong, and a node that starts restores what is lost there', async () => {
  proves('kong-keys')
  const standIn = createKongStandIn(Date.now)
  const kong = createAdaptorServer({ fetch: standIn.app.fetch })
  await new Promise<void>((listening) => kong.listen(0, '127.0.0.1', listening))
  const server = await startPostgres()
  const service = await startDistributionService(
    createPostgresRuntime(() => server.createDatabase()),
    {
      DS_GATEWAY: 'built-in,kong',
      DS_GATEWAY_TAG: 'tills',
      DS_KONG_URL: `http://127.0.0.1:${(kong.address() as AddressInfo).port}`,
    },
  )
  const token = await service.login()
  const { id, apiKey } = await createLabel(service, token)
  expect(standIn.check(apiKey)).toBeDefined()
  const path = `/v3/labels/${id}/key`
  const rotated = await service.request('POST', path, { token, body: { overlap: 3600 } })
  const next = getData(rotated).apiKey
  expect([standIn.check(apiKey), standIn.check(next)]).not.toContain(undefined)
  await service.pause()
  await standIn.app.request(`/consumers/tills%3Aapplication%3A${id}`, { method: 'DELETE' })
  await service.resume()
  await expect.poll(() => standIn.check(next)).toBeDefined()
  await service.request('DELETE', path, { token })
  expect([standIn.check(apiKey), standIn.check(next)]).toEqual([undefined, undefined])
  await service.stop()
  await server.remove()
  await new Promise<void>((closed) => void kong.close(() => closed()))
})
