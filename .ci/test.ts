/** `npm test`: the connector built, every test run, on Node and on Bun, and one line at the end that counts them all. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Count, countFile, summary } from './count.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cardwire-count-'))
const counts = join(folder, 'counts')
writeFileSync(counts, '')

/** The service, its contract and the binary from outside run on Node; the connector's own parts run on Bun. */
const steps = [
  ['npm', 'run', '--silent', 'build', '-w', 'connector'],
  ['vitest', 'run'],
  ['bun', '--bun', 'vitest', 'run', '--config', 'connector/vitest.config.ts'],
] as const

const env = { ...process.env, [countFile]: counts, ...winePrefix() }
const failed = steps.filter(([command, ...args]) => {
  const { status } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return status !== 0
})

/** A Wine prefix in which programs for Windows run, where there is Wine; tests copy it. */
function winePrefix(): Record<string, string> {
  if (!existsSync('/usr/lib/wine/wine64')) return {}
  const prefix = join(folder, 'wine')
  const { status } = spawnSync('bash', ['connector/test/wine/setup.sh', prefix], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return status === 0 ? { TEST_WINE_PREFIX: prefix } : {}
}

const runs = readFileSync(counts, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): Count => JSON.parse(line))
rmSync(folder, { recursive: true, force: true })
const sum = (of: 'passed' | 'failed' | 'skipped') => runs.reduce((total, run) => total + run[of], 0)
const total: Count = {
  passed: sum('passed'),
  // A step that ended badly without a failed test has failed all the same.
  failed: Math.max(sum('failed'), failed.length),
  skipped: sum('skipped'),
  failures: [...runs.flatMap(({ failures }) => failures), ...failed.map((step) => step.join(' '))],
  unsteady: runs.flatMap(({ unsteady }) => unsteady),
}
console.log(summary(total).join('\n'))
process.exitCode = failed.length === 0 ? 0 : 1
