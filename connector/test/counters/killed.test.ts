/** Connectors that are killed while they count and synchronize: the service has every use exactly once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAmount } from '../../../test/bed/amounts.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { openCounters } from '../../src/api/counters/counters.ts'
import { openStateDatabase } from '../../src/system/state/database.ts'
import { openDevice } from '../distribution/device.ts'

const version = '4.0.0'
const rounds = getAmount('connectors killed while they count')

let service: DistributionService
let installationKey: string
let runtime: string
beforeAll(async () => {
  service = await startDistributionService(runtimes.Node, { DS_COUNTER_LIMIT: '1000000' })
  installationKey = (await service.registerVersion(version)).installationApiKey
  await service.createLabel('shop')
  runtime = mkdtempSync(join(tmpdir(), 'cardwire-killed-'))
})
afterAll(async () => {
  await service?.stop()
  rmSync(runtime, { recursive: true, force: true })
})

const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/**
 * A connector that counts uses with a tag of its own each, tells each that is counted, and synchronizes all the time.
 * Of its answers every third is lost on the way.
 */
const connector = (round: number) => `
  const { openStateDatabase } = await import(${source('../../src/system/state/database.ts')})
  const { openCounters } = await import(${source('../../src/api/counters/counters.ts')})
  const { openDevice } = await import(${source('../distribution/device.ts')})
  const counters = openCounters(openStateDatabase(${JSON.stringify(runtime)}, console), Date.now)
  let calls = 0
  const wrapTransport = (link) => async (call) => {
    const answer = await link(call)
    calls += 1
    if (calls % 3 === 0) throw new Error('the answer is lost')
    return answer
  }
  const device = await openDevice({
    dsUrl: ${JSON.stringify(service.url)}, version: '${version}', runtime: ${JSON.stringify(runtime)},
    installationKey: ${JSON.stringify(installationKey)}, wrapTransport, counters,
  })
  const synchronize = async () => {
    for (;;) await device.syncOnce().catch(() => undefined)
  }
  void synchronize()
  for (let n = 0; ; n += 1) {
    counters.add({ label: 'shop', module: 'eid', useCase: 'signature', tag: '${round}.' + n })
    process.stdout.write(n + '\\n')
    await new Promise(setImmediate)
  }
`

/** The number of the last use that the connector told of; one more may be counted. */
async function runUntilKilled(round: number): Promise<number> {
  const after = 3 + Math.floor(Math.random() * 30)
  const child = Bun.spawn([process.execPath, '-e', connector(round)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let output = ''
  for await (const part of child.stdout) {
    output += Buffer.from(part).toString()
    if (output.split('\n').length > after) child.kill('SIGKILL')
  }
  await child.exited
  return Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1))
}

async function readServiceCounts(): Promise<ReadonlyMap<string, number>> {
  const counted = new Map<string, number>()
  for (let page = 1; ; page += 1) {
    const { items } = await service.admin('GET', `/v3/counters?size=100&page=${page}`)
    for (const { tag, count } of items) counted.set(tag, (counted.get(tag) ?? 0) + count)
    if (items.length < 100) return counted
  }
}

test('every use is counted once, whenever the connector is killed and whichever response is lost', async () => {
  proves('use-reported-once')
  const lastUses: number[] = []
  for (let round = 0; round < rounds; round += 1) lastUses.push(await runUntilKilled(round))

  const database = openStateDatabase(runtime, { error: () => undefined })
  const counters = openCounters(database, Date.now)
  const waiting = counters.list().length
  const dsUrl = service.url
  const device = await openDevice({ dsUrl, version, installationKey, runtime, counters })
  while (counters.batches().length > 0) await device.syncOnce()
  database.close()

  const counted = await readServiceCounts()
  for (const [round, last] of lastUses.entries()) {
    for (let n = 0; n <= last; n += 1) expect([n, counted.get(`${round}.${n}`)]).toEqual([n, 1])
    // Counted, and killed before it could tell.
    expect(counted.get(`${round}.${last + 1}`) ?? 1).toBe(1)
  }
  const uses = lastUses.reduce((sum, last) => sum + last + 1, 0)
  expect(counted.size).toBeGreaterThanOrEqual(uses)
  expect(counted.size).toBeLessThanOrEqual(uses + rounds)
  // Some of it had come through before, by connectors that were killed.
  expect(waiting).toBeLessThan(uses)
})
