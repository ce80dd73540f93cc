/** Synchronizations of a growing fleet over one database, against what its engine allows. */
import { join } from 'node:path'
import { measureBoth } from './compare-sync.ts'
import { createSimulatedDevices } from './devices-requests.ts'
import { openEngine } from './engine.ts'
import { readResidentMb } from './memory.ts'
import { describeMissing, findProgram } from './required-programs.ts'
import { startService } from './service.ts'
import { formatRate, type Line } from './table.ts'

const sizes = [1000, 100_000, 1_000_000]
/** Devices that send requests; each of them signs them all beforehand. */
const maxSenders = 20_000
/** A cold service is slower, which would flatter the larger sizes that come later. */
const longWarmUp = 4

/** `database`: as `DS_DATABASE` has it, new or empty. */
export async function measureFleet(
  folder: string,
  packages: string,
  database: string,
): Promise<Line[]> {
  const wrk = findProgram('wrk')
  if (!wrk) return [{ what: 'synchronisations', figure: '-', note: describeMissing('wrk') }]
  const engine = openEngine(database)
  const service = await startService(join(folder, 'service'), packages, database)
  const devices = await createSimulatedDevices(service.url, engine.store)
  const lines: Line[] = []
  const first = new Map<boolean, number>()
  for (const size of sizes) {
    await devices.growTo(Math.min(size, maxSenders))
    await devices.fillTo(size)
    const bare = await engine.startBare(folder, `bare-${size}`)
    for (const isChanging of [true, false]) {
      const both = { wrk, folder, devices, ours: service, theirs: bare, isChanging }
      const { ours, theirs } = await measureBoth(both, size === sizes[0] ? longWarmUp : 1)
      if (!first.has(isChanging)) first.set(isChanging, ours.p99)
      lines.push(
        {
          what: `${size.toLocaleString('en')} devices, ${isChanging ? 'each changed' : 'all unchanged'}`,
          figure: formatRate(ours.perSecond),
          note: `p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} ms`,
          target: `p99 ≤ ${(1.5 * (first.get(isChanging) ?? 0)).toFixed(1)} ms`,
        },
        {
          what: '  processor time of one, of a bare one',
          figure: `${ours.processorUs.toFixed(0)} µs`,
          note: `${theirs.processorUs.toFixed(0)} µs, ratio ${(theirs.processorUs / ours.processorUs).toFixed(2)}`,
          target: '≥ 0.60',
        },
      )
    }
    bare.end()
    lines.push({
      what: '  database, memory',
      figure: `${(engine.readSize() / 1e6).toFixed(0)} MB`,
      note: `${readResidentMb(service.pid).toFixed(0)} MB resident`,
    })
  }
  return lines
}
