/** What is refused of rules and their tests: before a run, and after it. */
import { describe, expect, test } from 'vitest'
import {
  checkRules,
  checkRun,
  findProvedRules,
  type NotRun,
  type RanTest,
  readRules,
} from './rules.ts'

const suite = 'ds/test/suites/versions.suite.ts'
const node = 'ds/test/node.test.ts'
const deno = 'ds/test/deno.test.ts'

describe('checkRules', () => {
  const check = (rows: readonly string[], proved: readonly string[] = []) => {
    const table = ['| ID | Rule |', '|---|---|', ...rows]
    const rules = readRules('docs/a.md', table.join('\n'))
    return checkRules(rules, new Map([[suite, proved]]), new Set([86]))
  }
  const latest = '| latest-version | The highest version is the latest |'

  test('accepts a rule that a test names', () => {
    expect(check([latest], ['latest-version'])).toEqual([])
  })

  test('refuses a rule that no test names', () => {
    expect(check([latest])).toEqual(['docs/a.md:3: no test proves "latest-version"'])
  })

  test('refuses a test that names an unknown rule', () => {
    expect(check([latest], ['latest-version', 'last-version'])).toEqual([
      `${suite}: there is no rule "last-version"`,
    ])
  })

  test.each(['ds/release/test/debian.test.ts', 'connector/packages/test/windows.test.ts'])(
    'refuses a rule that is proven by %s, which npm test does not run',
    (file) => {
      const rules = readRules('docs/a.md', latest)
      const proofs = new Map([
        [suite, ['latest-version']],
        [file, ['latest-version']],
      ])
      expect(checkRules(rules, proofs, new Set())).toEqual([
        `${file}: npm test does not run it, so it cannot prove a rule`,
      ])
    },
  )

  test('refuses an id that two rules have', () => {
    expect(check([latest, latest], ['latest-version'])).toEqual([
      'docs/a.md:3: "latest-version" is the id of another rule, too: docs/a.md:4',
    ])
  })

  test('accepts a decision that stands in for a test, and no other mention of one', () => {
    expect(check(['| roles | Least role. No test: decision 86 |'])).toEqual([])
    expect(check(['| roles | Least role (decision 86) |'])).toHaveLength(1)
  })

  test('refuses a decision that does not exist', () => {
    const row = '| roles | Least role (decisions 86, 870) |'
    expect(check([row], ['roles'])).toEqual(['docs/a.md:3: there is no decision 870'])
  })

  test('refuses a row without an id or a rule', () => {
    expect(check(['| The highest version is the latest |'])).toHaveLength(1)
    expect(check(['| latest-version | |'])).toHaveLength(1)
  })
})

describe('findProvedRules', () => {
  test('finds each id, on one line or several', () => {
    const source = `
test('a', () => {
  proves('x')
})
test('b', () => {
  proves(
    'y',
    'z',
  )
})`
    expect(findProvedRules(source)).toEqual(['x', 'y', 'z'])
  })

  test('finds no rule in what is no literal', () => {
    expect(findProvedRules('proves(rule)')).toEqual(['rule (no literal)'])
  })
})

describe('checkRun', () => {
  const ran = (state: RanTest['state'], module: string, ...rules: readonly string[]): RanTest => ({
    module,
    title: 'latest',
    state,
    rules,
  })
  const check = (tests: readonly RanTest[], notRun: NotRun = {}) =>
    checkRun(new Map([[suite, ['latest-version']]]), () => [node, deno], tests, notRun)
  const unproven = `rule "latest-version" is not proven: no test of ${suite} that proves it passed`

  test('accepts a rule that one of the files that run a suite has proven', () => {
    expect(check([ran('passed', node, 'latest-version')])).toEqual([])
  })

  test('refuses a rule of which one test failed, though others passed', () => {
    const tests = [ran('passed', node, 'latest-version'), ran('failed', deno, 'latest-version')]
    expect(check(tests)).toEqual([
      `rule "latest-version" is not proven: "latest" failed in ${deno}`,
    ])
  })

  test.each(['skipped', 'pending'] as const)('refuses a rule whose test is %s', (state) => {
    expect(check([ran(state, node, 'latest-version')])).toEqual([unproven])
  })

  test('refuses a rule whose test did not run, or only in another file', () => {
    expect(check([])).toEqual([unproven])
    expect(check([ran('passed', node)])).toEqual([unproven])
    expect(check([ran('passed', 'ds/test/other.test.ts', 'latest-version')])).toEqual([unproven])
  })

  test('excuses a rule only if this machine can run no file that could prove it', () => {
    expect(check([], { skipped: ['ds/test/**'] })).toEqual([])
    expect(check([], { skipped: [deno] })).toEqual([unproven])
  })

  test('wants a rule of files that only a whole run has proven by others', () => {
    const leftOut = [node, deno]
    const other = ran('passed', 'ds/test/other.test.ts', 'latest-version')
    expect(check([other], { leftOut })).toEqual([])
    expect(check([], { leftOut })).toEqual([
      `rule "latest-version" is not proven: only ${suite} proves it, which npm test leaves out`,
    ])
    expect(check([other], { leftOut: [node] })).toEqual([unproven])
    expect(check([], { leftOut, skipped: ['ds/test/**'] })).toEqual([])
  })
})
