/** Counts the tests of a run and names those that failed: at its end, or in a file for whoever adds several runs up. */
import { appendFileSync } from 'node:fs'
import process from 'node:process'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

export interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What failed, and the first lines of why. */
  readonly failures: readonly string[]
  /** What failed at first and passed when asked again: a fault to look for. */
  readonly unsteady: readonly string[]
}

/** Where the counts of several runs are gathered. */
export const countFile = 'TEST_COUNT_FILE'

/** Tests that fail are asked once more where nobody watches; they are named all the same. */
export const retry = process.env['CI'] ? 1 : 0

export const count: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const of = (state: string) => tests.filter((test) => test.result().state === state)
    // What failed outside any test, a file that does not load for one, has failed all the same.
    const broken = modules.flatMap((module) =>
      module.errors().map((error) => told(module.relativeModuleId, error)),
    )
    const outside = errors.map((error) => told('outside of tests', error))
    const failures = [...of('failed').map(failure), ...broken, ...outside]
    const counted: Count = {
      passed: of('passed').length,
      failed: failures.length,
      skipped: of('skipped').length,
      failures,
      unsteady: tests.filter((test) => test.diagnostic()?.flaky).map(failure),
    }
    const file = process.env[countFile]
    if (file === undefined) process.stdout.write(`${summary(counted).join('\n')}\n`)
    else appendFileSync(file, `${JSON.stringify(counted)}\n`)
  },
}

/** The closing lines of a run: the faults, then one plain line that counts. */
export const summary = ({ passed, failed, skipped, failures, unsteady }: Count) => [
  ...unsteady.map((name) => `passed only when asked again: ${name}`),
  ...failures.map((name) => `failed: ${name}`),
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
]

const failure = (test: TestCase) => {
  const [error] = test.result().errors ?? []
  return told(`${test.module.relativeModuleId} › ${test.fullName}`, error)
}

const told = (name: string, error: { readonly message?: string } | undefined) =>
  `${name}\n    ${(error?.message ?? 'no reason').slice(0, 600).replaceAll('\n', '\n    ')}`
