/** Runs tests in a checkout, and says which of those that prove a rule failed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { RanTest } from '../../../.ci/rules.ts'
import { type RunReport, runsFile } from '../../../.ci/test-reporter.ts'
import type { TestRun } from './plan.ts'

/** A guard without which a program waits for ever is found, too. Milliseconds. */
const maxWaitMs = 600_000

export interface Outcome {
  readonly tests: readonly RanTest[]
  /** Files that could not be loaded: such a mutation proves nothing. */
  readonly broken: readonly string[]
}

/** `maxMs`: a run of tests that takes longer is ended. */
export async function runTests(
  folder: string,
  runs: readonly TestRun[],
  maxMs = maxWaitMs,
): Promise<Outcome> {
  const reports: (RunReport | undefined)[] = []
  for (const run of runs) reports.push(await runOnce(folder, run, maxMs))
  const failures = reports.flatMap((report) => report?.failures ?? [])
  const notLoaded = failures.filter(({ name }) => name === '')
  return {
    tests: reports.flatMap((report) => report?.tests ?? []),
    broken: [
      ...notLoaded.map(({ module, reason }) => `${module}: ${reason}`),
      ...(reports.includes(undefined) ? ['no report: the run did not end'] : []),
    ],
  }
}

async function runOnce(
  folder: string,
  { runtime, files, pattern }: TestRun,
  maxMs: number,
): Promise<RunReport | undefined> {
  const report = join(folder, 'node_modules/.cache-mutations.json')
  rmSync(report, { force: true })
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const config = runtime === 'bun' ? ['--config', 'connector/vitest.config.ts'] : []
  const args = ['run', ...config, ...files, ...(pattern === undefined ? [] : ['-t', pattern])]
  const command = runtime === 'bun' ? ['--bun', vitest, ...args] : [vitest, ...args]
  const child = spawn(join(folder, 'node_modules/.bin', runtime), command, {
    cwd: folder,
    env: { ...process.env, [runsFile]: report, TEST_WORKERS: '2' },
    stdio: 'ignore',
    detached: true,
  })
  const end = () => void (child.pid && process.kill(-child.pid, 'SIGKILL'))
  const timer = setTimeout(end, maxMs)
  // The tests end with the campaign.
  process.once('exit', end)
  await once(child, 'exit')
  process.off('exit', end)
  clearTimeout(timer)
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8').trim()) : undefined
}

/** Builds the connector's binary of the checkout; false when it cannot be built. */
export async function buildConnector(folder: string): Promise<boolean> {
  const options = { cwd: folder, stdio: 'ignore' } as const
  const child = spawn('npm', ['run', '--silent', 'build', '-w', 'connector'], options)
  const [status] = await once(child, 'exit')
  return status === 0
}
