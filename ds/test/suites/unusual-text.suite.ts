/** Text that SQLite takes and PostgreSQL does not: NUL, and halves of surrogate pairs, also as JSON writes them. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { passwordGrant, tokenPath } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createLabel, createVersion } from '../harness/arrange.ts'
import { createDevice, type Device } from '../harness/device.ts'

const texts = [
  ['NUL', 'front\0desk'],
  ['a half of a surrogate pair', 'front\ud800desk'],
  ['a backslash before u0000', 'front\\u0000desk'],
] as const

export function unusualTextSuite(service: () => DistributionService): void {
  let version: string
  let device: Device
  beforeAll(async () => {
    const created = await createVersion(service(), await service().login())
    version = created.id
    device = await createDevice(service(), created)
  })

  test.each(texts)('a host name with %s stops no search of administrators', async (_, hostname) => {
    proves('postgres-text')
    const synced = await device.sync({ device: { hostname } })
    const found = await service().request('GET', `/v3/devices?version=${version}&hostname=front`, {
      token: await service().login(),
    })

    expect(synced.status).toBe(200)
    expect(found.status).toBe(200)
    expect(found.json.data.total).toBe(1)
  })

  test.each(texts)('counters with a tag that has %s are counted once', async (_, tag) => {
    proves('postgres-text')
    const token = await service().login()
    const { id: label } = await createLabel(service(), token)
    const day = new Date().toISOString().slice(0, 10)
    const entry = { label, module: 'beid', useCase: 'identity-read', day, count: 3, tag }
    const batch = { id: randomUUID(), entries: [entry] }
    const first = await device.sync({ batches: [batch] })
    const again = await device.sync({ batches: [batch] })
    const { json } = await service().request('GET', `/v3/counters?label=${label}`, { token })

    expect([first.reply.acknowledged, again.reply.acknowledged]).toEqual([[batch.id], [batch.id]])
    expect(json.data.items).toMatchObject([{ label, count: 3 }])
  })

  test('NUL in the id of a device finds none', async () => {
    const found = await service().request('GET', '/v3/devices/a%00b', {
      token: await service().login(),
    })

    expect(found.json).toMatchObject({ status: 404, code: 'device-unknown' })
  })

  test('NUL in the subject of an assertion is a device that is unknown', async () => {
    proves('postgres-text')
    const { status } = await device.request(
      'POST',
      '/v3/devices/sync',
      {},
      {
        claims: { iss: 'a\0b', sub: 'a\0b' },
      },
    )

    expect(status).toBe(404)
  })

  test('NUL in the name of a login is a login that is refused', async () => {
    proves('postgres-text')
    const { status } = await service().request('POST', tokenPath, {
      form: { ...passwordGrant, username: 'nobody\0' },
    })

    expect(status).toBe(400)
  })
}
