/** Measures the service against what its parts can do alone, in one run. */
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { killAll, stopAll } from './child-process.ts'
import { measureDevices } from './devices.ts'
import { makeInstaller, measureDownloads } from './downloads.ts'
import { connections, generator } from './load-generator.ts'
import { watchMemory } from './memory.ts'
import { startService } from './service.ts'
import { formatTable } from './table.ts'
import { measureTokens } from './tokens.ts'
import { measureUpserts } from './upserts.ts'

const measuresDevices = process.argv[2] === 'devices'

async function measure(folder: string) {
  const packages = join(folder, 'packages')
  await mkdir(packages)
  if (measuresDevices) return measureDevices(folder, packages)
  await makeInstaller(packages)
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
  `Node ${process.version}, ${cpus().length} cores, ${generator} with ${connections} connections; about ${measuresDevices ? 'six minutes' : 'a minute'}\n`,
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
