/** The machines of the tests, which are installed before the tests start: a Wine prefix, and a Debian that boots. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { makeDebianArchive } from '../test/bed/booted-machine.ts'
import { root } from '../test/bed/repository.ts'

/** Makes those that this machine can run. Returns the settings that name them to the tests. `folder`: that of the run. */
export function makeMachines(folder: string): Readonly<Record<string, string>> {
  const startedAt = performance.now()
  const wine = makeWinePrefix(folder)
  // The root of a machine belongs to root.
  if (process.getuid?.() === 0 && existsSync('/usr/bin/mmdebstrap')) makeDebianArchive()
  console.log(`Installed Wine and Debian: ${Math.round((performance.now() - startedAt) / 1000)} s`)
  return wine
}

/** Makes a Wine prefix in which programs for Windows run; tests copy it. */
function makeWinePrefix(folder: string): Readonly<Record<string, string>> {
  if (!existsSync('/usr/lib/wine/wine64')) return {}
  const prefix = join(folder, 'wine')
  const { status } = spawnSync('bash', ['connector/test/wine/setup.sh', prefix], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return status === 0 ? { TEST_WINE_PREFIX: prefix } : {}
}
