/** Counts the tests of a run: one plain line at its end, or a line in a file for whoever adds several runs up. */
import { appendFileSync } from 'node:fs'
import process from 'node:process'
import type { Reporter, TestModule } from 'vitest/node'

export interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Where the counts of several runs are gathered. */
export const countFile = 'CARDWIRE_COUNT_FILE'

export const count: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const of = (state: string) => tests.filter((test) => test.result().state === state).length
    // What failed outside any test, a file that does not load for one, has failed all the same.
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length
    const counted = { passed: of('passed'), failed: of('failed') + broken, skipped: of('skipped') }
    const file = process.env[countFile]
    if (file === undefined) process.stdout.write(`${countLine(counted)}\n`)
    else appendFileSync(file, `${JSON.stringify(counted)}\n`)
  },
}

export const countLine = ({ passed, failed, skipped }: Count) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
