/** A fleet that synchronises, against what a route, a signature and a write allow together. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { start } from './child.ts'
import { type Fleet, foundFleet, type Requests } from './fleet-devices.ts'
import { type Load, latencies } from './fleet-load.ts'
import { inFile } from './fleet-rows.ts'
import { residentMb } from './memory.ts'
import { processorUs } from './processor.ts'
import { median } from './rounds.ts'
import { startArguments, startService } from './service.ts'
import { count, type Line, ratio } from './table.ts'
import { find, missing } from './tools.ts'
import { wakeUp } from './wake-up.ts'
import { startWorker } from './worker.ts'

const sizes = [1000, 10_000, 100_000]
const rounds = 5
const seconds = 2
/** A cold service is slower, which would flatter the fleets that come later. */
const longWarmUp = 6

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
    const { ours, theirs, share } = await inTurn(
      { wrk, folder, devices, ours: service, theirs: { url: bareUrl, pid: bare.pid } },
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
        note: `ratio ${share.toFixed(2)}, ${told(theirs)}`,
        target: '≥ 0.60',
      },
      {
        what: '  processor time of one, of a bare one',
        figure: `${ours.processorUs.toFixed(0)} µs`,
        note: `${theirs.processorUs.toFixed(0)} µs, ${ratio(theirs.processorUs, ours.processorUs)}`,
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
  const [, ...warm] = loads
  const of = (name: keyof Load) => median(warm.map((load) => load[name]))
  return [
    {
      what: 'synchronisations, 1,000 devices, workerd and D1',
      figure: count(of('perSecond')),
      note: told({ perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') }),
    },
  ]
}

const told = ({ p50, p99 }: Load) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`

interface Contestant {
  readonly url: string
  readonly pid: number
}

interface Contest {
  readonly wrk: string
  readonly folder: string
  readonly devices: Fleet
  readonly ours: Contestant
  readonly theirs: Contestant
}

interface Round extends Load {
  /** Of a request, in microseconds. */
  readonly processorUs: number
}

/** Both in turn: what else the machine does changes slower than they do. Of everything the one in the middle. */
async function inTurn({ wrk, folder, devices, ours, theirs }: Contest, warmUps: number) {
  const measure = async ({ url, pid }: Contestant, requests: Requests): Promise<Round> => {
    const before = processorUs(pid)
    const load = await latencies(wrk, folder, url, requests, seconds)
    return { ...load, processorUs: (processorUs(pid) - before) / (load.perSecond * seconds) }
  }
  const pairs: { readonly ours: Round; readonly theirs: Round }[] = []
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const pair = {
      ours: await measure(ours, await devices.requests(seconds)),
      theirs: await measure(theirs, await devices.requestsOfOne(seconds)),
    }
    if (round >= warmUps) pairs.push(pair)
  }
  return {
    ours: middle(pairs.map((pair) => pair.ours)),
    theirs: middle(pairs.map((pair) => pair.theirs)),
    share: median(pairs.map((pair) => pair.ours.perSecond / pair.theirs.perSecond)),
  }
}

/** Each figure by itself. */
const middle = (rounds: readonly Round[]): Round => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  processorUs: median(rounds.map(({ processorUs }) => processorUs)),
})
