/** Reports the result of a test run: at its end, or into a file for a command that adds several runs up. */
import { appendFileSync } from 'node:fs'
import process from 'node:process'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type {} from '../test/bed/proves.ts'
import type { RanTest } from './rules.ts'

export interface RunCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What failed, and the first lines of why. */
  readonly failures: readonly string[]
  /** What failed at first and passed in a second attempt: a fault to look for. */
  readonly unsteady: readonly string[]
}

/** What one run leaves for the command that started it. */
export interface RunReport extends RunCounts {
  readonly tests: readonly RanTest[]
  /** How long each file took, in milliseconds. */
  readonly files: readonly { readonly module: string; readonly ms: number }[]
}

/** The setting with the file in which several runs are gathered, a line of JSON for each. */
export const runsFile = 'TEST_RUNS_FILE'

/** The setting with the file in which the processor time of each test file is gathered. */
export const processorTimesFile = 'TEST_PROCESSOR_TIMES'

/** In CI, where nobody watches, a test that fails has a second attempt; it is named all the same. */
export const retry = process.env['CI'] ? 1 : 0

export const reporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors) {
    const cases = modules.flatMap((module) => [...module.children.allTests()])
    const tests = cases.map(toRanTest)
    const inState = (state: string) => cases.filter((test) => test.result().state === state)
    // What failed outside any test, such as a file that does not load, is a failure too.
    const broken = modules.flatMap((module) =>
      module.errors().map((error) => describeFailure(module.relativeModuleId, error)),
    )
    const outside = errors.map((error) => describeFailure('outside of tests', error))
    const failures = [...inState('failed').map(describeTest), ...broken, ...outside]
    const counted: RunCounts = {
      passed: inState('passed').length,
      failed: failures.length,
      skipped: inState('skipped').length,
      failures,
      unsteady: cases.filter((test) => test.diagnostic()?.flaky).map(describeTest),
    }
    const files = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic()
      return { module: module.relativeModuleId, ms: duration + collectDuration }
    })
    const file = process.env[runsFile]
    if (file === undefined) process.stdout.write(`${summarize(counted).join('\n')}\n`)
    else
      appendFileSync(file, `${JSON.stringify({ ...counted, tests, files } satisfies RunReport)}\n`)
  },
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

const describeTest = (test: TestCase) => {
  const [error] = test.result().errors ?? []
  return describeFailure(`${test.module.relativeModuleId} › ${test.fullName}`, error)
}

const describeFailure = (name: string, error: { readonly message?: string } | undefined) =>
  `${name}\n    ${(error?.message ?? 'no reason').slice(0, 600).replaceAll('\n', '\n    ')}`
