/** A fleet that synchronises, against what a route, a signature and a write allow together. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { start } from './child.ts'
import { type Fleet, foundFleet } from './fleet-devices.ts'
import { type Load, latencies } from './fleet-load.ts'
import { inFile } from './fleet-rows.ts'
import { residentMb } from './memory.ts'
import { startArguments, startService } from './service.ts'
import { count, type Line, ratio } from './table.ts'
import { find, missing } from './tools.ts'
import { wakeUp } from './wake-up.ts'
import { startWorker } from './worker.ts'

const sizes = [1000, 10_000, 100_000]
const rounds = 3
const seconds = 3
/** A cold service is slower, which would flatter the fleets that come later. */
const longWarmUp = 5

export async function fleet(folder: string, packages: string): Promise<Line[]> {
  const wrk = find('wrk')
  if (!wrk) return [{ what: 'synchronisations', figure: '-', note: missing('wrk') }]
  const service = await startService(join(folder, 'service'), packages)
  const database = join(folder, 'service', 'ds.sqlite')
  const devices = await foundFleet(service.url, inFile(database))
  // Memory is bounded for the service: the same bound for what it is measured against.
  const options = (await startArguments()).filter((argument) => argument.startsWith('-'))
  const lines: Line[] = []
  const measured: Load[] = []
  for (const size of sizes) {
    await devices.growTo(size)
    const bare = start(folder, process.execPath, [
      ...options,
      fileURLToPath(import.meta.resolve('./bare-sync.ts')),
      database,
      join(folder, `bare-${size}.sqlite`),
    ])
    const bareUrl = await bare.said(/(http\S+)/)
    const { ours, theirs } = await inTurn(
      { wrk, folder, devices, url: service.url, bareUrl },
      size === sizes[0] ? longWarmUp : 1,
    )
    measured.push(ours)
    lines.push(
      {
        what: `synchronisations, ${size.toLocaleString('en')} devices`,
        figure: count(ours.perSecond),
        note: told(ours),
        ...(size === sizes.at(-1) && {
          target: `p99 ≤ ${(1.5 * (measured[0]?.p99 ?? 0)).toFixed(1)} ms`,
        }),
      },
      {
        what: '  bare route, verification and write',
        figure: count(theirs.perSecond),
        note: `${ratio(ours.perSecond, theirs.perSecond)}, ${told(theirs)}`,
        target: '≥ 0.60',
      },
      {
        what: '  database, memory',
        figure: `${(statSync(database).size / 1e6).toFixed(0)} MB`,
        note: `${residentMb(service.pid).toFixed(0)} MB resident`,
      },
    )
    bare.end()
  }
  lines.push(...(await wakeUp(service.url, devices, 20_000)))
  service.end()
  return [...lines, ...(await onWorkers(wrk, folder))]
}

/** What workerd and D1 do on this machine; Cloudflare's are others. */
async function onWorkers(wrk: string, folder: string): Promise<Line[]> {
  const worker = await startWorker(join(folder, 'worker'))
  const devices = await foundFleet(worker.url, worker.store)
  await devices.growTo(1000)
  const loads: Load[] = []
  for (let round = 0; round < 1 + rounds; round += 1) {
    loads.push(await latencies(wrk, folder, worker.url, await devices.requests(seconds), seconds))
  }
  const load = middle(loads.slice(1))
  const what = 'synchronisations, 1,000 devices, workerd and D1'
  return [{ what, figure: count(load.perSecond), note: told(load) }]
}

const told = ({ p50, p99 }: Load) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`

interface Contest {
  readonly wrk: string
  readonly folder: string
  readonly devices: Fleet
  readonly url: string
  readonly bareUrl: string
}

/** Both in turn, and the round in the middle of each: the machine is never quiet. */
async function inTurn({ wrk, folder, devices, url, bareUrl }: Contest, warmUps: number) {
  const [ours, theirs]: [Load[], Load[]] = [[], []]
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const results = [
      await latencies(wrk, folder, url, await devices.requests(seconds), seconds),
      await latencies(wrk, folder, bareUrl, await devices.requestsOfOne(seconds), seconds),
    ] as const
    if (round < warmUps) continue
    ours.push(results[0])
    theirs.push(results[1])
  }
  return { ours: middle(ours), theirs: middle(theirs) }
}

function middle(loads: readonly Load[]): Load {
  const found = loads.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(loads.length / 2)]
  if (!found) throw new Error('Cannot tell the middle of nothing')
  return found
}
