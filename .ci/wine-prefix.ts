/** A Wine prefix in which programs for Windows run; tests copy it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../test/bed/repository.ts'

/** Makes it in this folder, on a machine that has Wine. Returns the setting that names it to the tests. */
export function makeWinePrefix(folder: string): Readonly<Record<string, string>> {
  if (!existsSync('/usr/lib/wine/wine64')) return {}
  const prefix = join(folder, 'wine')
  const { status } = spawnSync('bash', ['connector/test/wine/setup.sh', prefix], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return status === 0 ? { TEST_WINE_PREFIX: prefix } : {}
}
