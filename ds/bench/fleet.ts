/** Synchronizations of a growing fleet over one database, against what its engine allows. */
import { measureBoth } from './compare-sync.ts'
import { createSimulatedDevices } from './devices-requests.ts'
import type { Engine } from './engine.ts'
import { readResidentMb } from './memory.ts'
import { startNodes } from './nodes.ts'
import { describeMissing, findProgram } from './required-programs.ts'
import { formatRate, formatRatio, type Line } from './table.ts'

export const fleetSizes: readonly number[] = [1000, 100_000, 1_000_000]
/** Devices that send requests; each of them signs them all beforehand. */
const maxSenders = 20_000
/** A cold service is slower, which would flatter the larger sizes that come later. */
const longWarmUp = 4

interface Fleet {
  readonly folder: string
  readonly packages: string
  readonly engine: Engine
  readonly nodes: number
  /** How many devices are registered, in the order of growth. */
  readonly sizes: readonly number[]
}

export async function measureFleet({ folder, packages, engine, nodes: count, sizes }: Fleet) {
  const wrk = findProgram('wrk')
  if (!wrk) return [{ what: 'synchronisations', figure: '-', note: describeMissing('wrk') }]
  const { service, nodes } = await startNodes(folder, packages, engine, count)
  const devices = await createSimulatedDevices(service.url, engine.store)
  const { readServerUs } = engine
  const lines: Line[] = []
  const first = new Map<boolean, number>()
  for (const size of sizes) {
    await devices.growTo(Math.min(size, maxSenders))
    await devices.fillTo(size)
    const bare = await engine.startBare(folder, `bare-${size}`)
    for (const isChanging of [true, false]) {
      const both = { wrk, folder, devices, ours: nodes, theirs: bare, isChanging }
      const measured = await measureBoth(
        { ...both, ...(readServerUs && { readServerUs }) },
        size === sizes[0] ? longWarmUp : 1,
      )
      const firstP99 = first.get(isChanging) ?? measured.ours.p99
      first.set(isChanging, firstP99)
      const kind = isChanging ? 'each changed' : 'all unchanged'
      lines.push(...format(`${size.toLocaleString('en')} devices, ${kind}`, measured, firstP99))
    }
    bare.end()
    const resident = nodes.map(({ pid }) => `${readResidentMb(pid).toFixed(0)} MB`).join(', ')
    lines.push({
      what: '  database, memory',
      figure: `${((await engine.readSize()) / 1e6).toFixed(0)} MB`,
      note: `${resident} resident`,
    })
  }
  return lines
}

type Measured = Awaited<ReturnType<typeof measureBoth>>

function format(what: string, { ours, theirs }: Measured, firstP99: number): Line[] {
  const [all, bareAll] = [ours, theirs].map((of) => of.processorUs + of.serverUs)
  return [
    {
      what,
      figure: formatRate(ours.perSecond),
      note: `p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} ms, ${(ours.p99 / firstP99).toFixed(2)} of the first`,
      target: 'p99 ≤ 1.5 of the first',
    },
    compare(
      '  processor time of one, of a bare one',
      ours.processorUs,
      theirs.processorUs,
      '≥ 0.60',
    ),
    ...(ours.serverUs > 0
      ? [compare('  with the server of the database', all ?? 0, bareAll ?? 0)]
      : []),
  ]
}

const compare = (what: string, oursUs: number, theirsUs: number, target?: string): Line => ({
  what,
  figure: `${oursUs.toFixed(0)} µs`,
  note: `${theirsUs.toFixed(0)} µs, ${formatRatio(theirsUs, oursUs)}`,
  ...(target !== undefined && { target }),
})
