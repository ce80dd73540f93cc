/** Devices of a service that is killed, and of one that is restored from a backup: the real program on Node. */
import { statSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getAmount } from '../../test/bed/amounts.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { proves } from '../../test/bed/proves.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { createDevice } from './harness/device.ts'

/** A multiple of ten: each of ten tags is counted as often as the others. */
const rounds = getAmount('services killed while they count')

let service: DistributionService

beforeEach(async () => {
  service = await startDistributionService()
})
afterEach(() => service.stop())

/** The last moment at which the service wrote to its database, as far as the file system tells. */
const written = () => {
  const { mtimeNs, size } = statSync(`${service.database}-wal`, { bigint: true })
  return `${mtimeNs} ${size}`
}

const aVersion = (flags: Json = {}) =>
  service.admin('PUT', '/v3/versions', {
    id: '4.0.0',
    recommended: false,
    mandatory: false,
    allowed: true,
    uris: [],
    ...flags,
  })
const today = () => new Date().toISOString().slice(0, 10)
const aBatch = (tag: string) => ({
  id: crypto.randomUUID(),
  entries: [{ label: 'shop', module: 'eid', useCase: 'signature', day: today(), tag, count: 1 }],
})

test(`every batch is counted once after ${rounds} times kill -9 during a synchronization`, async () => {
  proves('use-counted-once', 'service-killed')
  await service.createLabel('shop')
  const device = await createDevice(service, await aVersion())
  let waiting: ReturnType<typeof aBatch>[] = []
  const acknowledge = (ids: readonly string[]) => {
    waiting = waiting.filter(({ id }) => !ids.includes(id))
  }
  for (let round = 0; round < rounds; round += 1) {
    waiting.push(aBatch(`round ${round % 10}`))
    const before = written()
    let answered = false
    const sent = device
      .sync({ batches: waiting })
      .catch(() => undefined)
      .finally(() => {
        answered = true
      })
    // The blow falls the moment something is written, or a while after: before the answer, mostly.
    while (!answered && written() === before) await new Promise(setImmediate)
    for (let late = 0; late < round % 10; late += 1) await new Promise(setImmediate)
    await service.pause('SIGKILL')
    const answer = await sent
    acknowledge(answer?.reply?.acknowledged ?? [])
    await service.resume()
    // The oldest that wait, as many as a request holds, and always all that was sent before.
    if (waiting.length >= 10)
      acknowledge((await device.sync({ batches: waiting })).reply.acknowledged)
  }
  acknowledge((await device.sync({ batches: waiting })).reply.acknowledged)
  expect(waiting).toEqual([])
  const { items } = await service.admin('GET', '/v3/counters?size=100')
  expect(Object.fromEntries(items.map(({ tag, count }: Json) => [tag, count]))).toEqual(
    Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`round ${at}`, rounds / 10])),
  )
})

test('a service restored from a backup serves every device of the backup', async () => {
  const version = await aVersion()
  const device = await createDevice(service, version)
  const config = (cors: string[], id?: string) =>
    service.admin('PUT', '/v3/configurations', {
      type: 'CONTEXT_CONFIG',
      versionId: '4.0.0',
      config: { cors },
      ...(id && { id }),
    })
  const { id } = await config(['https://yesterday.example'])
  const before = (await device.sync()).reply
  const [data, backup] = [service.database, join(service.folder, 'backup.sqlite')]
  const connection = new Sqlite(data)
  connection.exec(`vacuum into '${backup}'`)
  connection.close()

  await config(['https://today.example'], id)
  await service.admin('POST', '/v3/signing-keys', { use: 'reply' })
  const later = await createDevice(service, version)
  const today = (await device.sync({ state: before.state })).reply
  expect(today.revision).toBe(before.revision + 1)
  await service.pause('SIGKILL')
  await cp(backup, data)
  for (const rest of ['-wal', '-shm']) await rm(data + rest, { force: true })

  await service.resume()
  const restored = await device.sync({ state: today.state })
  expect(restored.reply).toMatchObject({
    unchanged: false,
    revision: before.revision,
    cors: ['https://yesterday.example'],
  })
  expect((await later.sync()).json.code).toBe('device-unknown')
})
