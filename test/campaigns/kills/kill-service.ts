/** Kills the service, with SQLite on disk, while devices register and synchronize and administrators change things. */
import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import {
  type DistributionService,
  startDistributionService,
} from '../../bed/distribution-service.ts'
import type { SeededRandom } from '../../bed/random.ts'
import type { Json } from '../../bed/service-request.ts'
import { runtimes } from '../../bed/service-runtimes.ts'
import { waitFor } from '../../bed/wait-for.ts'
import type { Results } from './results.ts'
import { checkDatabase, checkKept } from './service-data.ts'
import { startServiceLoad } from './service-load.ts'

export interface KillOptions {
  readonly kills: number
  readonly random: SeededRandom
  readonly results: Results
  /** What a test breaks after each kill, to see that it is noticed: it gets the path of the database. */
  readonly breakFiles?: (database: string) => void
}

/** No limit stops the load. */
export const withoutLimits = {
  DS_COUNTER_LIMIT: '1000000',
  DS_DEVICES_PER_KEY: '1000000',
  DS_DEVICES_PER_ADDRESS: '1000000',
  DS_TOKEN_LIMIT: '1000000',
  DS_REGISTRATION_LIMIT: '1000000',
}

export async function killService({
  kills,
  random,
  results,
  breakFiles,
}: KillOptions): Promise<void> {
  const service = await startDistributionService(runtimes.Node, withoutLimits)
  try {
    const version = await service.registerVersion('4.0.0')
    const load = await startServiceLoad({ service, results, version })
    let killed = 0
    while (killed < kills) {
      load.resume()
      await waitFor(() => load.acknowledged.tags.size > 0)
      await waitForMoment(service, random, results)
      await service.pause('SIGKILL')
      killed += 1
      await load.pause()
      if (killed < kills && random.chance(0.1)) {
        await killWhileStarting(service, random)
        results.count('killed as it started')
        killed += 1
      }
      breakFiles?.(service.database)
      await checkDatabase(service.database, load.acknowledged, results)
      await startAgain(service, results)
      // What is lost would fail everything that follows.
      if (results.violations().length > 0) return
    }
    await load.finish()
    const { devices, tags, labels } = load.acknowledged
    await checkAnswers(service, devices, tags, results)
    results.count('devices acknowledged', devices.size)
    results.count('batches acknowledged', tags.size)
    results.count('labels acknowledged', labels.size)
  } finally {
    await service.stop()
  }
}

/** Waits for the moment of the next kill: any, or right after the service wrote to its database. */
async function waitForMoment(
  { database }: DistributionService,
  random: SeededRandom,
  results: Results,
): Promise<void> {
  await setTimeout(random.integer(0, 400))
  if (random.chance(0.5)) return results.count('killed at any moment')
  const written = () => {
    const { mtimeNs, size } = statSync(`${database}-wal`, { bigint: true })
    return `${mtimeNs} ${size}`
  }
  const before = written()
  while (written() === before) await new Promise(setImmediate)
  for (let late = random.integer(0, 9); late > 0; late -= 1) await new Promise(setImmediate)
  results.count('killed as it wrote')
}

/** Kills it once before it listens. */
async function killWhileStarting(
  service: DistributionService,
  random: SeededRandom,
): Promise<void> {
  const starting = service.resume().catch(() => undefined)
  await setTimeout(random.integer(50, 600))
  await service.pause('SIGKILL')
  await starting
}

export async function startAgain(service: DistributionService, results: Results): Promise<void> {
  const from = performance.now()
  const failure = await service.resume().then(
    () => undefined,
    (error: Error) => error.message,
  )
  results.check('starts-again', failure === undefined, () => `${failure}`)
  results.measure('start', performance.now() - from)
}

/** What the service itself answers at the end: every device that was acknowledged, and each batch counted once. */
export async function checkAnswers(
  service: DistributionService,
  devices: ReadonlySet<string>,
  tags: ReadonlySet<string>,
  results: Results,
): Promise<void> {
  const listed = await readPages(service, '/v3/devices')
  checkKept('device', devices, new Set(listed.map(({ id }) => id)), results)
  const counted = new Map<string, number>()
  for (const { tag, count } of await readPages(service, '/v3/counters'))
    counted.set(tag, (counted.get(tag) ?? 0) + count)
  checkKept('batch', tags, new Set(counted.keys()), results)
  for (const [tag, uses] of counted)
    results.check('counted-once', uses === 1 && tags.has(tag), () => `${tag} counts ${uses} times`)
}

async function readPages(service: DistributionService, path: string): Promise<readonly Json[]> {
  const all: Json[] = []
  for (let page = 1; ; page += 1) {
    const { items } = await service.admin('GET', `${path}?size=100&page=${page}`)
    all.push(...items)
    if (items.length < 100) return all
  }
}
