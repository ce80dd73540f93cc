/** Synchronizations of many devices, against what a route, a signature and a write allow together. */
import { join } from 'node:path'
import { getMedian } from '../../test/bed/bench-table.ts'
import { measureAllAtOnce } from './all-devices-at-once.ts'
import { measureBoth, rounds, seconds } from './compare-sync.ts'
import { type LoadResult, measureLatencies } from './devices-load.ts'
import { createSimulatedDevices } from './devices-requests.ts'
import { readResidentMb } from './memory.ts'
import { openEngine } from './open-engine.ts'
import { describeMissing, findProgram } from './required-programs.ts'
import { startService } from './service.ts'
import { formatRate, formatRatio, type Line } from './table.ts'
import { startWorker } from './worker.ts'

const sizes = [1000, 10_000, 100_000]
/** A cold service is slower, which would flatter the larger sizes that come later. */
const longWarmUp = 6

export async function measureDevices(folder: string, packages: string): Promise<Line[]> {
  const wrk = findProgram('wrk')
  if (!wrk) return [{ what: 'synchronisations', figure: '-', note: describeMissing('wrk') }]
  const service = await startService(join(folder, 'service'), packages)
  const database = join(folder, 'service', 'ds.sqlite')
  const engine = await openEngine(database)
  const devices = await createSimulatedDevices(service.url, engine.store)
  const lines: Line[] = []
  const measured: LoadResult[] = []
  for (const size of sizes) {
    await devices.growTo(size)
    const bare = await engine.startBare(folder, `bare-${size}`)
    const { ours, theirs, share } = await measureBoth(
      { wrk, folder, devices, ours: [service], theirs: bare },
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
        figure: `${((await engine.readSize()) / 1e6).toFixed(0)} MB`,
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
      await measureLatencies(wrk, folder, [worker.url], await devices.requests(seconds), seconds),
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
