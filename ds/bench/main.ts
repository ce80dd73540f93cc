/** Measures the service against what its parts can do alone, in one run. */
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { killAll, stopAll } from './child.ts'
import { downloads, makeInstaller } from './downloads.ts'
import { fleet } from './fleet.ts'
import { connections, generator } from './load.ts'
import { watchMemory } from './memory.ts'
import { startService } from './service.ts'
import { table } from './table.ts'
import { tokens } from './tokens.ts'
import { upserts } from './upserts.ts'

const ofFleet = process.argv[2] === 'fleet'

async function measure(folder: string) {
  const packages = join(folder, 'packages')
  await mkdir(packages)
  if (ofFleet) return fleet(folder, packages)
  await makeInstaller(packages)
  const service = await startService(join(folder, 'service'), packages)
  const memory = watchMemory(service.pid)
  const lines = [
    ...(await tokens(folder, service)),
    ...(await upserts(folder, service)),
    ...(await downloads(folder, packages, service)),
  ]
  return [...lines, ...memory()]
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${generator} with ${connections} connections; about ${ofFleet ? 'six minutes' : 'a minute'}\n`,
)
const folder = await mkdtemp(join(tmpdir(), 'cardwire-bench-'))
process.once('exit', () => {
  killAll()
  rmSync(folder, { recursive: true, force: true })
})
try {
  console.log(table(await measure(folder)))
} finally {
  await stopAll()
}
