/** Measures the service against what its parts can do alone, in one run. */
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { measureAdministration } from './administration.ts'
import { killAll, stopAll } from './child-process.ts'
import { measureDevices } from './devices.ts'
import { makeInstaller, measureDownloads } from './downloads.ts'
import type { Engine } from './engine.ts'
import { fleetSizes, measureFleet } from './fleet.ts'
import { connections, generator } from './load-generator.ts'
import { watchMemory } from './memory.ts'
import { startNodes } from './nodes.ts'
import { openEngine } from './open-engine.ts'
import { measureReads } from './reads.ts'
import { measureRollouts } from './rollouts.ts'
import { formatTable } from './table.ts'
import { measureTokens } from './tokens.ts'
import { measureUpserts } from './upserts.ts'
import { measureWaiting } from './wait.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    // As DS_DATABASE has it, new or empty; "postgres" alone starts a server for the measurement.
    database: { type: 'string' },
    // Of the service, on a PostgreSQL database.
    nodes: { type: 'string', default: '1' },
    // How many devices `fleet` registers: "1000,100000".
    devices: { type: 'string', default: fleetSizes.join(',') },
  },
})
const [what = 'requests'] = positionals
const nodes = Number(values.nodes)
if (![1, 2, 3, 4, 5, 6].includes(nodes)) throw new Error('Cannot start so many nodes: one to six')
const sizes = values.devices.split(',').map(Number)
if (sizes.some((size) => !(size > 0))) throw new Error('Cannot register so many devices')

const durations: Readonly<Record<string, string>> = {
  devices: 'six minutes',
  fleet: 'ten minutes',
  reads: 'three minutes',
  administration: 'three minutes',
  wait: 'three minutes',
  rollouts: 'three minutes',
}

async function measure(folder: string) {
  const packages = join(folder, 'packages')
  await mkdir(packages)
  if (what === 'devices') return measureDevices(folder, packages)
  await makeInstaller(packages)
  const engine = await openEngine(values.database ?? join(folder, 'ds.sqlite'))
  try {
    return await measureWith(engine, folder, packages)
  } finally {
    await stopAll()
    await engine.close()
  }
}

async function measureWith(engine: Engine, folder: string, packages: string) {
  if (what === 'fleet') return measureFleet({ folder, packages, engine, nodes, sizes })
  if (what === 'wait')
    return measureWaiting({ folder, packages, engine, nodes, devices: sizes[0] ?? 0 })
  if (what === 'reads') return measureReads(folder, packages, engine)
  if (what === 'administration') return measureAdministration(folder, packages, engine)
  if (what === 'rollouts') return measureRollouts(folder, packages, engine)
  const { service } = await startNodes(folder, packages, engine, 1)
  const memory = watchMemory(service.pid)
  const lines = [
    ...(await measureTokens(folder, service, engine)),
    ...(await measureUpserts(folder, service)),
    ...(await measureDownloads(folder, packages, service)),
  ]
  return [...lines, ...memory()]
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${generator} with ${connections} connections; about ${durations[what] ?? 'a minute'}\n`,
)
const folder = await mkdtemp(join(tmpdir(), 'cardwire-bench-'))
process.once('exit', () => {
  killAll()
  rmSync(folder, { recursive: true, force: true })
})
try {
  console.log(formatTable(await measure(folder)))
} finally {
  await stopAll()
}
