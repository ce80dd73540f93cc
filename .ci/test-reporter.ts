/** Reports the result of a test run: at its end, or into a file for a command that adds several runs up. */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type {} from '../test/bed/proves.ts'
import type { RanTest } from './rules.ts'

export interface Failure {
  /** The test file; empty if the failure belongs to none. */
  readonly module: string
  /** The title of the test, or of the suite whose hook failed; empty if the file itself failed, such as one that does not load. */
  readonly name: string
  /** The first lines of why. */
  readonly reason: string
}

/** What one command leaves for the run that started it. */
export interface RunReport {
  /** The value of the setting `runName`. */
  readonly command: string
  readonly runtime: 'bun' | 'node'
  readonly tests: readonly RanTest[]
  readonly failures: readonly Failure[]
  /** How long each file took, in milliseconds. */
  readonly files: readonly { readonly module: string; readonly ms: number }[]
}

export interface RunCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Lines that say what failed. */
  readonly failures: readonly string[]
  /** Lines that say what failed at first and passed in a second attempt: a fault to look for. */
  readonly unsteady: readonly string[]
}

/** The setting with the file in which several runs are gathered, a line of JSON for each. */
export const runsFile = 'TEST_RUNS_FILE'

/** The setting with the name of the command that runs these tests. */
export const runName = 'TEST_RUN_NAME'

/** The setting with the file in which the processor time of each test file is gathered. */
export const processorTimesFile = 'TEST_PROCESSOR_TIMES'

export const reporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors) {
    const cases = modules.flatMap((module) => [...module.children.allTests()])
    const failed = cases.filter((test) => test.result().state === 'failed')
    // What failed outside any test, such as a file that does not load or a hook, is a failure too.
    const broken = modules.flatMap((module) => [
      ...module.errors().map((error) => createFailure(module.relativeModuleId, '', error)),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite
          .errors()
          .map((error) => createFailure(module.relativeModuleId, suite.fullName, error)),
      ),
    ])
    const outside = errors.map((error) => createFailure(findModule(error), '', error))
    const report: RunReport = {
      command: process.env[runName] ?? '',
      runtime: process.versions['bun'] === undefined ? 'node' : 'bun',
      tests: cases.map(toRanTest),
      failures: [...failed.map(describeTest), ...broken, ...outside],
      files: modules.map((module) => {
        const { duration, collectDuration } = module.diagnostic()
        return { module: module.relativeModuleId, ms: duration + collectDuration }
      }),
    }
    const file = process.env[runsFile]
    if (file === undefined) process.stdout.write(`${summarize(countRuns([report])).join('\n')}\n`)
    else appendFileSync(file, `${JSON.stringify(report)}\n`)
  },
}

/** Adds up what several commands report. */
export function countRuns(
  runs: readonly RunReport[],
  unsteady: readonly Failure[] = [],
): RunCounts {
  const tests = runs.flatMap((run) => run.tests)
  const failures = runs.flatMap((run) => run.failures)
  const count = (state: RanTest['state']) => tests.filter((test) => test.state === state).length
  return {
    passed: count('passed'),
    failed: failures.length,
    skipped: count('skipped'),
    failures: failures.map(describeFailure),
    unsteady: unsteady.map(describeFailure),
  }
}

/** The closing lines of a run: the failures, then one plain line that counts. */
export const summarize = ({ passed, failed, skipped, failures, unsteady }: RunCounts) => [
  ...unsteady.map((name) => `passed only in a second attempt: ${name}`),
  ...failures.map((name) => `failed: ${name}`),
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
]

const toRanTest = (test: TestCase): RanTest => ({
  module: test.module.relativeModuleId,
  title: test.fullName,
  state: test.result().state,
  rules: test.meta().rules ?? [],
})

const describeTest = (test: TestCase): Failure => {
  const [error] = test.result().errors ?? []
  return createFailure(test.module.relativeModuleId, test.fullName, error)
}

const createFailure = (
  module: string,
  name: string,
  error: { readonly message?: string } | undefined,
): Failure => ({ module, name, reason: (error?.message ?? 'no reason').slice(0, 600) })

/** The file whose test left an error behind, as Vitest names it. */
const findModule = (error: object): string =>
  'VITEST_TEST_PATH' in error ? relative(process.cwd(), String(error.VITEST_TEST_PATH)) : ''

const describeFailure = ({ module, name, reason }: Failure) => {
  const place = [module || 'outside of tests', ...(name ? [name] : [])].join(' › ')
  return `${place}\n    ${reason.replaceAll('\n', '\n    ')}`
}
