/** Measures the service against what its parts can do alone, in one run. */
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { killAll, stopAll } from './child-process.ts'
import { measureDevices } from './devices.ts'
import { makeInstaller, measureDownloads } from './downloads.ts'
import { measureFleet } from './fleet.ts'
import { connections, generator } from './load-generator.ts'
import { watchMemory } from './memory.ts'
import { measureReads } from './reads.ts'
import { startService } from './service.ts'
import { formatTable } from './table.ts'
import { measureTokens } from './tokens.ts'
import { measureUpserts } from './upserts.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { database: { type: 'string' } },
})
const [what = 'requests'] = positionals

const durations: Readonly<Record<string, string>> = {
  devices: 'six minutes',
  fleet: 'ten minutes',
  reads: 'three minutes',
}

async function measure(folder: string) {
  const packages = join(folder, 'packages')
  await mkdir(packages)
  if (what === 'devices') return measureDevices(folder, packages)
  await makeInstaller(packages)
  if (what === 'fleet')
    return measureFleet(folder, packages, values.database ?? join(folder, 'fleet.sqlite'))
  if (what === 'reads') return measureReads(folder, packages, values.database)
  const service = await startService(join(folder, 'service'), packages)
  const memory = watchMemory(service.pid)
  const lines = [
    ...(await measureTokens(folder, service)),
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
