/** Which files run once more, and what counts after that. */
import { describe, expect, test } from 'vitest'
import { chooseFilesToRepeat, mergeAttempts } from './second-attempt.ts'
import { countRuns, type RunReport, summarize } from './test-reporter.ts'

const createRun = (
  states: Readonly<Record<string, 'passed' | 'failed' | 'skipped'>>,
  runtime: RunReport['runtime'] = 'node',
): RunReport => {
  const tests = Object.entries(states).map(([path, state]) => {
    const [module = '', title = ''] = path.split(' ')
    return { module, title, state, rules: [] }
  })
  return {
    command: 'vitest run',
    runtime,
    tests,
    failures: tests
      .filter(({ state }) => state === 'failed')
      .map(({ module, title }) => ({ module, name: title, reason: 'it was late' })),
    files: [...new Set(tests.map(({ module }) => module))].map((module) => ({ module, ms: 1 })),
  }
}
const broken = (module: string): RunReport => ({
  ...createRun({}),
  failures: [{ module, name: '', reason: 'it does not load' }],
})

describe('chooseFilesToRepeat', () => {
  test('names each file with a failed test once, and its runtime', () => {
    const runs = [
      createRun({
        'a.test.ts one': 'failed',
        'a.test.ts two': 'failed',
        'b.test.ts one': 'passed',
      }),
      createRun({ 'c.test.ts one': 'failed' }, 'bun'),
    ]
    expect(chooseFilesToRepeat(runs)).toEqual([
      { module: 'a.test.ts', runtime: 'node' },
      { module: 'c.test.ts', runtime: 'bun' },
    ])
  })

  test('names a file that does not load, and no failure outside of files', () => {
    expect(chooseFilesToRepeat([broken('a.test.ts'), broken('')])).toEqual([
      { module: 'a.test.ts', runtime: 'node' },
    ])
  })

  test('names none of 21 failed files', () => {
    const fail = (count: number) =>
      createRun(
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.test.ts x`, 'failed'])),
      )
    expect(chooseFilesToRepeat([fail(20)])).toHaveLength(20)
    expect(chooseFilesToRepeat([fail(21)])).toEqual([])
  })
})

describe('mergeAttempts', () => {
  const merge = (first: readonly RunReport[], second: readonly RunReport[]) => {
    const { runs, unsteady } = mergeAttempts(first, second)
    return summarize(countRuns(runs, unsteady))
  }
  const first = [
    createRun({ 'a.test.ts one': 'failed', 'a.test.ts two': 'passed', 'b.test.ts one': 'passed' }),
  ]

  test('counts each test once, and reports what passed only then', () => {
    const second = [createRun({ 'a.test.ts one': 'passed', 'a.test.ts two': 'passed' })]
    expect(merge(first, second)).toEqual([
      'passed only in a second attempt: a.test.ts › one\n    it was late',
      '3 passed, 0 failed',
    ])
  })

  test('fails what fails again, or fails only then', () => {
    const second = [createRun({ 'a.test.ts one': 'failed', 'a.test.ts two': 'failed' })]
    expect(merge(first, second)).toEqual([
      'failed: a.test.ts › one\n    it was late',
      'failed: a.test.ts › two\n    it was late',
      '1 passed, 2 failed',
    ])
  })

  test('keeps the failure of a file whose second attempt left no report', () => {
    expect(merge(first, [])).toEqual([
      'failed: a.test.ts › one\n    it was late',
      '2 passed, 1 failed',
    ])
  })

  test('reports a file that loaded only then', () => {
    expect(merge([broken('a.test.ts')], [createRun({ 'a.test.ts one': 'passed' })])).toEqual([
      'passed only in a second attempt: a.test.ts\n    it does not load',
      '1 passed, 0 failed',
    ])
  })
})
