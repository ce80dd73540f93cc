/** What counts as a proof in the documents, and what is refused. */
import { describe, expect, test } from 'vitest'
import { checkForm, checkRun, type Proof, type RanTest, readProofs } from './document-proofs.ts'

const file = 'ds/test/labels.test.ts'
const source = `
describe('a label', () => {
  test('has a key', () => {})
  test('is created', () => {})
  test.each([1, 2])('refuses name %s', () => {})
})
describe('an organization', () => {
  test('is created', () => {})
})
describe.each(['SQLite', 'D1'])('on %s', () => {
  test('a key is unique', () => {})
})
`

const proofOf = (...path: readonly string[]): Proof => ({ place: 'docs/a.md:3', file, path })
const form = (...path: readonly string[]) => checkForm(proofOf(...path), source)

describe('readProofs', () => {
  const read = (...rows: readonly string[]) =>
    readProofs('docs/a.md', ['| Rule | Test |', '|---|---|', ...rows].join('\n'))

  test('reads each proof of a row, with the describe blocks it names', () => {
    expect(read('| Rule | `a.test.ts` › b<br>`c.test.ts` › d › e |').proofs).toEqual([
      { place: 'docs/a.md:3', file: 'a.test.ts', path: ['b'] },
      { place: 'docs/a.md:3', file: 'c.test.ts', path: ['d', 'e'] },
    ])
  })

  test('reads a decision, when it is called one', () => {
    const path = 'docs/decisions/0001-names.md'
    expect(read(`| Rule | decision \`${path}\` |`).proofs).toEqual([
      { place: 'docs/a.md:3', file: path, path: [] },
    ])
    expect(read(`| Rule | \`${path}\` |`).faults).toHaveLength(1)
  })

  test('refuses a row without a proof, and a document without rows', () => {
    expect(read('| Rule | |').faults).toHaveLength(1)
    expect(read('| Rule | by hand |').faults).toHaveLength(1)
    expect(read().faults).toEqual(['docs/a.md: has no rows'])
  })
})

describe('checkForm', () => {
  test.each([
    ['a title', ['has a key']],
    ['a title of a table, filled in', ['refuses name 1']],
    ['a title that is unique with its describe block', ['an organization', 'is created']],
    ['a title below a filled in describe block', ['on D1', 'a key is unique']],
  ])('takes %s', (_, path) => {
    expect(form(...path)).toBeUndefined()
  })

  test.each([
    ['the beginning of a title', ['has a'], /has no test "has a"/],
    ['the end of a title', ['a key'], /has no test/],
    ['a part of a title of a table', ['refuses name'], /has no test/],
    ['text in quotes that is no title', ['SQLite'], /has no test/],
    ['a describe block', ['a label'], /has no test/],
    ['a title in another describe block', ['an organization', 'has a key'], /has no test/],
    ['a title that two tests have', ['is created'], /has 2 tests "is created"/],
  ])('refuses %s', (_, path, reason) => {
    expect(form(...path)).toMatch(reason)
  })

  test('refuses a file that is missing, of a test or of a decision', () => {
    expect(checkForm(proofOf('has a key'), undefined)).toMatch(/there is no/)
    expect(checkForm(proofOf(), undefined)).toMatch(/there is no/)
  })
})

describe('checkRun', () => {
  const ran = (state: RanTest['state'], module: string, ...path: readonly string[]): RanTest => ({
    module,
    path,
    state,
  })
  const run = (
    proof: Proof,
    tests: readonly RanTest[],
    { modules = [file], leftOut = [] as readonly string[] } = {},
  ) => checkRun(proof, source, modules, tests, leftOut)

  test('takes a test that passed', () => {
    expect(run(proofOf('has a key'), [ran('passed', file, 'a label', 'has a key')])).toBe(undefined)
  })

  test.each(['failed', 'skipped', 'pending'] as const)('refuses a test that is %s', (state) => {
    const fault = run(proofOf('has a key'), [ran(state, file, 'a label', 'has a key')])
    expect(fault).toMatch(`"has a key" ${state} in ${file}`)
  })

  test('refuses a test that did not run, or ran under a longer title or in another file', () => {
    const others = [
      ran('passed', file, 'a label', 'has a key of its own'),
      ran('passed', 'ds/test/other.test.ts', 'a label', 'has a key'),
    ]
    expect(run(proofOf('has a key'), others)).toMatch(/did not run/)
  })

  test('refuses a title of a table as the source has it', () => {
    const cases = [ran('passed', file, 'a label', 'refuses name 1')]
    expect(run(proofOf('refuses name 1'), cases)).toBe(undefined)
    expect(run(proofOf('refuses name %s'), cases)).toMatch(/did not run/)
  })

  test('wants every test that is called so to have passed, in each file that runs the suite', () => {
    const modules = ['ds/test/node.test.ts', 'ds/test/deno.test.ts']
    const [node = '', deno = ''] = modules
    const passed = ran('passed', node, 'on SQLite', 'a key is unique')
    const proof = proofOf('a key is unique')
    expect(run(proof, [passed, { ...passed, module: deno }], { modules })).toBe(undefined)
    expect(run(proof, [passed, { ...passed, module: deno, state: 'failed' }], { modules })).toMatch(
      `failed in ${deno}`,
    )
  })

  test('excuses a file that the machine leaves out, and no other', () => {
    const proof = proofOf('has a key')
    expect(run(proof, [], { leftOut: ['ds/test/**'] })).toBe(undefined)
    expect(run(proof, [], { leftOut: ['connector/**'] })).toMatch(/did not run/)
    expect(run(proof, [], { modules: [] })).toMatch(/did not run/)
  })

  test('has nothing to ask of a decision', () => {
    expect(run(proofOf(), [])).toBe(undefined)
  })
})
