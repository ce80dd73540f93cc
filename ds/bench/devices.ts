/** Synchronizations of many devices, against what a route, a signature and a write allow together. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { getMedian } from '../../.ci/test-bed/bench-table.ts'
import { measureAllAtOnce } from './all-devices-at-once.ts'
import { start } from './child-process.ts'
import { type LoadResult, measureLatencies } from './devices-load.ts'
import { createSimulatedDevices, type Requests, type SimulatedDevices } from './devices-requests.ts'
import { createFileStore } from './devices-rows.ts'
import { readResidentMb } from './memory.ts'
import { readProcessorUs } from './processor.ts'
import { describeMissing, findProgram } from './required-programs.ts'
import { readStartArguments, startService } from './service.ts'
import { formatRate, formatRatio, type Line } from './table.ts'
import { startWorker } from './worker.ts'

const sizes = [1000, 10_000, 100_000]
const rounds = 5
const seconds = 2
/** A cold service is slower, which would flatter the larger sizes that come later. */
const longWarmUp = 6

export async function measureDevices(folder: string, packages: string): Promise<Line[]> {
  const wrk = findProgram('wrk')
  if (!wrk) return [{ what: 'synchronisations', figure: '-', note: describeMissing('wrk') }]
  const service = await startService(join(folder, 'service'), packages)
  const database = join(folder, 'service', 'ds.sqlite')
  const devices = await createSimulatedDevices(service.url, createFileStore(database))
  // Memory is bounded for the service: the same bound for what it is measured against.
  const options = (await readStartArguments()).filter((argument) => argument.startsWith('-'))
  const lines: Line[] = []
  const measured: LoadResult[] = []
  for (const size of sizes) {
    await devices.growTo(size)
    const bare = start(folder, process.execPath, [
      ...options,
      fileURLToPath(import.meta.resolve('./bare-sync.ts')),
      database,
      join(folder, `bare-${size}.sqlite`),
    ])
    const bareUrl = await bare.waitForOutput(/(http\S+)/)
    const { ours, theirs, share } = await measureBoth(
      { wrk, folder, devices, ours: service, theirs: { url: bareUrl, pid: bare.pid } },
      size === sizes[0] ? longWarmUp : 1,
    )
    measured.push(ours)
    lines.push(
      {
        what: `synchronisations, ${size.toLocaleString('en')} devices`,
        figure: formatRate(ours.perSecond),
        note: formatLatencies(ours),
        ...(size === sizes.at(-1) && {
          target: `p99 ≤ ${(1.5 * (measured[0]?.p99 ?? 0)).toFixed(1)} ms`,
        }),
      },
      {
        what: '  bare route, verification and write',
        figure: formatRate(theirs.perSecond),
        note: `ratio ${share.toFixed(2)}, ${formatLatencies(theirs)}`,
        target: '≥ 0.60',
      },
      {
        what: '  processor time of one, of a bare one',
        figure: `${ours.processorUs.toFixed(0)} µs`,
        note: `${theirs.processorUs.toFixed(0)} µs, ${formatRatio(theirs.processorUs, ours.processorUs)}`,
      },
      {
        what: '  database, memory',
        figure: `${(statSync(database).size / 1e6).toFixed(0)} MB`,
        note: `${readResidentMb(service.pid).toFixed(0)} MB resident`,
      },
    )
    bare.end()
  }
  lines.push(...(await measureAllAtOnce(service.url, devices, 20_000)))
  service.end()
  return [...lines, ...(await measureWorkerd(wrk, folder))]
}

/** What workerd and D1 do on this machine; Cloudflare's are others. */
async function measureWorkerd(wrk: string, folder: string): Promise<Line[]> {
  const worker = await startWorker(join(folder, 'worker'))
  const devices = await createSimulatedDevices(worker.url, worker.store)
  await devices.growTo(1000)
  const loads: LoadResult[] = []
  for (let round = 0; round < 1 + rounds; round += 1) {
    loads.push(
      await measureLatencies(wrk, folder, worker.url, await devices.requests(seconds), seconds),
    )
  }
  const [, ...warm] = loads
  const of = (name: keyof LoadResult) => getMedian(warm.map((load) => load[name]))
  return [
    {
      what: 'synchronisations, 1,000 devices, workerd and D1',
      figure: formatRate(of('perSecond')),
      note: formatLatencies({ perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') }),
    },
  ]
}

const formatLatencies = ({ p50, p99 }: LoadResult) =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`

interface MeasuredService {
  readonly url: string
  readonly pid: number
}

interface Comparison {
  readonly wrk: string
  readonly folder: string
  readonly devices: SimulatedDevices
  readonly ours: MeasuredService
  readonly theirs: MeasuredService
}

interface Round extends LoadResult {
  /** Of a request, in microseconds. */
  readonly processorUs: number
}

/** Both in turn: what else the machine does changes slower than they do. Of everything the one in the middle. */
async function measureBoth({ wrk, folder, devices, ours, theirs }: Comparison, warmUps: number) {
  const measure = async ({ url, pid }: MeasuredService, requests: Requests): Promise<Round> => {
    const before = readProcessorUs(pid)
    const load = await measureLatencies(wrk, folder, url, requests, seconds)
    return { ...load, processorUs: (readProcessorUs(pid) - before) / (load.perSecond * seconds) }
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
    ours: toMedians(pairs.map((pair) => pair.ours)),
    theirs: toMedians(pairs.map((pair) => pair.theirs)),
    share: getMedian(pairs.map((pair) => pair.ours.perSecond / pair.theirs.perSecond)),
  }
}

/** Each figure by itself. */
const toMedians = (rounds: readonly Round[]): Round => ({
  perSecond: getMedian(rounds.map(({ perSecond }) => perSecond)),
  p50: getMedian(rounds.map(({ p50 }) => p50)),
  p99: getMedian(rounds.map(({ p99 }) => p99)),
  processorUs: getMedian(rounds.map(({ processorUs }) => processorUs)),
})
