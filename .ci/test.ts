/** `npm test`: builds, runs every test and looks the proofs of the documents up. `npm run test:unit`: those of the sources alone. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { root } from '../test/bed/repository.ts'
import { checkProofs } from './conformance.ts'
import { exclusiveTests, withoutExclusive } from './exclusive-tests.ts'
import { type RunCounts, type RunReport, runsFile, summarize } from './test-reporter.ts'

type Command = readonly [program: string, ...args: string[]]

/** The service, its contract and the binary from outside run on Node; the connector's own parts run on Bun. */
const onNode = (...args: readonly string[]): Command => ['vitest', 'run', ...args]
const onBun = (...args: readonly string[]): Command => [
  ...(['bun', '--bun', 'vitest', 'run', '--config', 'connector/vitest.config.ts'] as const),
  ...args,
]

const folder = mkdtempSync(join(tmpdir(), 'cardwire-test-'))
const runsPath = join(folder, 'runs')
writeFileSync(runsPath, '')
const isUnit = process.argv.includes('--unit')
const startedAt = performance.now()
const failedCommands = isUnit ? await runUnitTests() : await runAllTests()
const runs = readFileSync(runsPath, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): RunReport => JSON.parse(line))
rmSync(folder, { recursive: true, force: true })
const proofFaults = isUnit ? [] : checkProofs(runs.flatMap(({ tests }) => tests))
const total = addUp()
console.log(`${Math.round((performance.now() - startedAt) / 1000)} s`)
console.log(summarize(total).join('\n'))
process.exitCode = total.failed === 0 ? 0 : 1

async function runUnitTests(): Promise<readonly Command[]> {
  // Bun's half has twice as much to do: certificates are made in it.
  return runTogether([onNode('--project=unit'), onBun('--project=unit', '--maxWorkers=2')], {})
}

async function runAllTests(): Promise<readonly Command[]> {
  const built = await runTogether(
    [
      ['npm', 'run', '--silent', 'build', '-w', 'connector'],
      ['npm', 'run', '--silent', 'build', '-w', 'ds'],
    ],
    {},
  )
  const env = { ...makeWinePrefix(), TEST_SERVICE_BUILT: 'yes' }
  const together = await runTogether([onNode(), onBun()], { ...env, [withoutExclusive]: 'yes' })
  const last = [
    onNode('--passWithNoTests', ...exclusiveTests.flatMap(({ node }) => node)),
    onBun('--passWithNoTests', ...exclusiveTests.flatMap(({ bun }) => bun)),
  ]
  const after: Command[] = []
  for (const command of last) after.push(...(await runTogether([command], env)))
  return [...built, ...together, ...after]
}

/** Runs commands at the same time; resolves with those that failed. */
async function runTogether(
  commands: readonly Command[],
  settings: Readonly<Record<string, string>>,
): Promise<readonly Command[]> {
  const env = { ...process.env, [runsFile]: runsPath, ...settings }
  const statuses = await Promise.all(
    commands.map(
      ([program, ...args]) =>
        new Promise<number | null>((resolve, reject) => {
          const child = spawn(program, args, {
            cwd: root,
            env,
            stdio: ['ignore', 'inherit', 'inherit'],
          })
          child.once('error', reject)
          child.once('close', resolve)
        }),
    ),
  )
  return commands.filter((_, at) => statuses[at] !== 0)
}

/** A Wine prefix in which programs for Windows run, where there is Wine; tests copy it. */
function makeWinePrefix(): Record<string, string> {
  if (!existsSync('/usr/lib/wine/wine64')) return {}
  const prefix = join(folder, 'wine')
  const { status } = spawnSync('bash', ['connector/test/wine/setup.sh', prefix], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return status === 0 ? { TEST_WINE_PREFIX: prefix } : {}
}

function addUp(): RunCounts {
  const sum = (of: 'passed' | 'failed' | 'skipped') => runs.reduce((all, run) => all + run[of], 0)
  return {
    passed: sum('passed'),
    // A command that ended badly without a failed test has failed all the same.
    failed: Math.max(sum('failed'), failedCommands.length) + proofFaults.length,
    skipped: sum('skipped'),
    failures: [
      ...runs.flatMap(({ failures }) => failures),
      ...failedCommands.map((command) => command.join(' ')),
      ...proofFaults,
    ],
    unsteady: runs.flatMap(({ unsteady }) => unsteady),
  }
}
