/** The frame of the mutations: how a guard is removed, which tests are cited, and what the check refuses. */
import { expect, test } from 'vitest'
import { orderByCost } from './budget.ts'
import { checkGuards } from './check.ts'
import { findCitedTests, toPattern } from './cited-tests.ts'
import { type Guard, removeGuard } from './guard.ts'
import { mergeRuns, planRuns } from './plan.ts'
import { applyMutation, describeMutation, listMutations } from './random-mutations.ts'
import { judge } from './run-guards.ts'

const guard: Guard = {
  rule: 'page-not-listed',
  file: 'src/check.ts',
  search: 'if (!allowed) throw refuse()\n',
  replace: '$&\n',
}
const source = 'before()\nif (!allowed) throw refuse()\nafter()\n'

test('a guard is replaced by the text as it is, once', () => {
  expect(removeGuard(source, guard)).toBe('before()\n$&\nafter()\n')
})

test.each([
  ['is not there', 'before()\n'],
  ['is there 2 times', source + source],
])('a guard whose text %s is not removed', (reason, text) => {
  expect(() => removeGuard(text, guard)).toThrow(reason)
})

const proving = `
test('a page that is not listed', async () => {
  proves('page-not-listed', 'other')
})
test.each([[1]])(
  '"%s" of $name is refused (it\\'s not listed)',
  async (one, { two } = { two: f(3) }) => {
    proves('page-not-listed')
  },
)
test('another', () => {
  proves('other')
})
`

test('the tests that prove a rule are found by title, whatever a placeholder becomes', () => {
  const cited = findCitedTests('a.test.ts', proving, 'page-not-listed')
  expect(cited?.pattern).toBe(
    'a page that is not listed|"[^]*" of [^]* is refused \\(it\'s not listed\\)',
  )
  expect(findCitedTests('a.test.ts', proving, 'unknown')).toBeUndefined()
})

test('a file with a proving test whose title cannot be read runs as a whole', () => {
  const text = "test(title, () => {\n  proves('other')\n})\n"
  expect(findCitedTests('a.test.ts', text, 'other')).toEqual({
    file: 'a.test.ts',
    pattern: undefined,
  })
})

test('a title is matched as text, whatever stands for a placeholder', () => {
  expect(toPattern(`GET /a.b? (1) [2] \${x} %s`)).toBe('GET \\/a\\.b\\? \\(1\\) \\[2\\] [^]* [^]*')
  expect(new RegExp(toPattern('a name of «%s»')).test('a name of «two\nlines»')).toBe(true)
})

const sources = {
  proving: new Map([
    ['ds/test/suites/access.suite.ts', proving],
    ['connector/src/a.test.ts', proving],
  ]),
  findModules: (file: string) =>
    file.endsWith('.suite.ts')
      ? ['ds/test/service-deno.test.ts', 'ds/test/service-node.test.ts']
      : [file],
}

test('a suite runs on Node, and the tests of the connector run on Bun', () => {
  const cited = [...sources.proving.keys()].map((file) => ({ file, pattern: file }))
  const runs = planRuns(cited, sources)
  expect(runs).toEqual([
    {
      runtime: 'node',
      files: ['ds/test/service-node.test.ts'],
      pattern: 'ds/test/suites/access.suite.ts',
    },
    { runtime: 'bun', files: ['connector/src/a.test.ts'], pattern: 'connector/src/a.test.ts' },
  ])
  expect(mergeRuns([...runs, ...runs])).toEqual(runs)
})

test('the check names what does not fit', () => {
  const check = (changes: Partial<Guard>, text = source) =>
    checkGuards(
      [{ ...guard, ...changes }],
      { unknown: 'why' },
      [{ id: 'page-not-listed' }, { id: 'unknown' }],
      sources,
      () => text,
    )
  expect(check({})).toEqual([])
  expect(check({ rule: 'unknown' })).toEqual([
    '"unknown" has a guard, and a reason for having none',
    'no test proves "unknown"',
  ])
  expect(check({ rule: 'nothing' })).toEqual([
    '"nothing" is no row of the threat model',
    'no test proves "nothing"',
  ])
  expect(check({ tests: ['b.test.ts'] })).toEqual([
    'b.test.ts does not prove "page-not-listed"',
    'no test proves "page-not-listed"',
  ])
  expect(check({ replace: guard.search })).toEqual([
    'the guard of "page-not-listed" in "src/check.ts" stays as it is',
  ])
  expect(check({}, 'before()\n')[0]).toContain('is not there')
})

test('mutations of chance are made by the syntax, and leave types alone', () => {
  const code = `
export function take(most: number, left = 3): Array<number> {
  if (left >= most) throw new Error('no')
  count(left)
  return left < 1 ? [] : [left]
}
`
  const found = listMutations('a.ts', code)
  expect(found.map((each) => describeMutation(code, each).replace(/^a\.ts:/, ''))).toEqual([
    expect.stringMatching(/^2 return: \{/),
    expect.stringMatching(/^3 negate: left >= most/),
    expect.stringMatching(/^3 drop: if \(left >= most\)/),
    expect.stringMatching(/^3 boundary: >= most/),
    expect.stringMatching(/^4 drop: count\(left\)/),
    expect.stringMatching(/^5 negate: left < 1/),
    expect.stringMatching(/^5 boundary: < 1/),
  ])
  const changed = found.map((mutation) => applyMutation(code, mutation))
  expect(changed[1]).toContain("  if (!(left >= most)) throw new Error('no')\n")
  expect(changed[2]).toContain('{\n  ;\n  count(left)\n')
  expect(changed[3]).toContain('  if (left > most) throw')
  expect(changed[0]).toContain('Array<number> { return;\n  if')
})

test('where processor time is limited unit tests come first, and what needs the binary is left out', () => {
  const plan = (...files: readonly string[]) => ({
    runs: [{ runtime: 'node' as const, files, pattern: undefined }],
  })
  const [suite, unit, other, binary] = [
    plan('ds/test/service-node.test.ts'),
    plan('ds/src/rules/csv.test.ts'),
    plan('ds/src/rules/csv.test.ts', 'ds/test/time.test.ts'),
    plan('connector/test/binary/consent.test.ts'),
  ]
  expect(orderByCost([suite, binary, other, unit])).toEqual({
    tried: [unit, other, suite],
    leftOut: [binary],
  })
})

test.each([
  ['found', ['passed', 'failed'], [], 'found by 1 of 2 tests'],
  ['found', ['failed'], ['no report'], 'found by 1 of 1 tests'],
  ['survived', ['passed', 'skipped'], [], 'survived: 1 tests passed'],
  ['broken', ['passed'], ['no report'], 'broken: no report'],
  ['not run', ['skipped'], [], 'not run: every test was skipped'],
  ['not run', [], [], 'not run: every test was skipped'],
] as const)('a guard is %s when its tests are %j', (kind, states, broken, text) => {
  const proof = { module: 'a.test.ts', rules: ['page-not-listed'] }
  const tests = [
    ...states.map((state) => ({ ...proof, title: state, state })),
    { ...proof, rules: ['other'], title: 'of another row', state: 'failed' as const },
    { ...proof, title: 'fails with every guard', state: 'failed' as const },
  ]
  const failing = new Set(['a.test.ts: fails with every guard'])
  expect(judge({ tests, broken }, guard, failing)).toEqual({ kind, text })
})
