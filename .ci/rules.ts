/** The rules of the documents and the tests that prove them: what the sources name, and what passed in a run. */
import { matchesGlob } from 'node:path'
import type { Imports } from './layers.ts'

export interface Rule {
  readonly id: string
  /** The document and line. */
  readonly place: string
  readonly text: string
  /** The numbers of the decisions that its text names. */
  readonly decisions: readonly number[]
  /** Whether a decision stands in for a test. */
  readonly isDecided: boolean
}

/** The ids in the calls of `proves`, by source file. */
export type Proofs = ReadonlyMap<string, readonly string[]>

export interface RanTest {
  readonly module: string
  /** Its own title after those of the describe blocks around it. */
  readonly title: string
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
  /** The rules that it proves. */
  readonly rules: readonly string[]
}

/** Reads the rows of a document's tables: an id, then what the rule says. A row of another form has an empty id. */
export const readRules = (document: string, text: string): readonly Rule[] =>
  text.split('\n').flatMap((line, index) => {
    if (!line.startsWith('|') || /^\| ID \||^\|-/.test(line)) return []
    const [, id = '', rule = ''] = /^\| ([a-z][a-z0-9-]*) \| (.+) \|$/.exec(line) ?? []
    const numbers = [...rule.matchAll(/\bdecisions? (\d+(?:, \d+)*)/g)].flatMap(([, all = '']) =>
      all.split(', ').map(Number),
    )
    const isDecided = /\bNo test: decision \d/.test(rule)
    return [{ id, place: `${document}:${index + 1}`, text: rule, decisions: numbers, isDecided }]
  })

/** The ids in a source's calls of `proves`; what is no literal is kept as it is, and is the id of no rule. */
export const findProvedRules = (source: string): readonly string[] =>
  [...source.matchAll(/\bproves\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
      .map((each) => /^'(.*)'$/.exec(each)?.[1] ?? `${each} (no literal)`),
  )

/** Tests that separate commands run, in a Debian that boots or a second browser: what they prove, no run of `npm test` sees. */
const separateTests = /^(?:ds\/(?:release\/test|admin-tests)|connector\/packages\/test)\//

/** What is wrong before anything has run. */
export function checkRules(
  rules: readonly Rule[],
  proofs: Proofs,
  decisions: ReadonlySet<number>,
): readonly string[] {
  const proved = new Set([...proofs.values()].flat())
  const known = new Map(rules.map((rule) => [rule.id, rule]))
  return [
    ...rules.flatMap((rule) => checkRule(rule, proved, decisions)),
    ...rules.flatMap(({ id, place }) => {
      const last = known.get(id)?.place
      return last === place ? [] : `${place}: "${id}" is the id of another rule, too: ${last}`
    }),
    ...[...proofs.keys()]
      .filter((file) => separateTests.test(file))
      .map((file) => `${file}: npm test does not run it, so it cannot prove a rule`),
    ...[...proofs].flatMap(([file, ids]) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file}: there is no rule "${id}"`),
    ),
  ]
}

function checkRule(
  { id, place, decisions, isDecided }: Rule,
  proved: ReadonlySet<string>,
  existing: ReadonlySet<number>,
): readonly string[] {
  if (id === '') return [`${place}: expected | id-of-the-rule | what it says |`]
  return [
    ...(isDecided || proved.has(id) ? [] : [`${place}: no test proves "${id}"`]),
    ...decisions
      .filter((number) => !existing.has(number))
      .map((number) => `${place}: there is no decision ${number}`),
  ]
}

export interface NotRun {
  readonly skipped?: readonly string[]
  readonly leftOut?: readonly string[]
}

/**
 * What is wrong after a run. `findModules` gives the test files that run a source: itself, or those that import a suite.
 * Of files that did not run, `skipped` are patterns of those that this machine cannot run, which excuses their rules, and
 * `leftOut` those that a whole run has, whose rules others have to prove.
 */
export function checkRun(
  proofs: Proofs,
  findModules: (file: string) => readonly string[],
  tests: readonly RanTest[],
  { skipped = [], leftOut = [] }: NotRun = {},
): readonly string[] {
  const failed = tests.filter(({ state }) => state === 'failed')
  const findPassed = (modules?: readonly string[]) =>
    new Set(
      tests
        .filter(({ state }) => state === 'passed')
        .flatMap(({ module, rules }) => (modules?.includes(module) === false ? [] : rules)),
    )
  const findUnproven = (ids: readonly string[], passed: ReadonlySet<string>, what: string) =>
    [...new Set(ids)]
      .filter((id) => !passed.has(id))
      .map((id) => `rule "${id}" is not proven: ${what}`)
  return [
    ...failed.flatMap(({ module, title, rules }) =>
      rules.map((id) => `rule "${id}" is not proven: "${title}" failed in ${module}`),
    ),
    ...[...proofs].flatMap(([file, ids]) => {
      const modules = findModules(file)
      const able = modules.filter((module) => !skipped.some((each) => matchesGlob(module, each)))
      if (modules.length > 0 && able.length === 0) return []
      const ran = able.filter((module) => !leftOut.includes(module))
      return able.length > 0 && ran.length === 0
        ? findUnproven(ids, findPassed(), `only ${file} proves it, which npm test leaves out`)
        : findUnproven(ids, findPassed(ran), `no test of ${file} that proves it passed`)
    }),
  ]
}

/** A page that shows for each rule the test files with how many tests have proved it. */
export function renderProofs(rules: readonly Rule[], tests: readonly RanTest[]): string {
  const rows = rules.map(({ id, text, isDecided }) => {
    const modules = tests
      .filter((test) => test.state === 'passed' && test.rules.includes(id))
      .map(({ module }) => module)
    const counts = [...new Set(modules)].map(
      (module) => `\`${module}\` (${modules.filter((each) => each === module).length})`,
    )
    return `| ${id} | ${text.replace(' | ', ': ')} | ${isDecided ? 'decided' : counts.join('<br>')} |`
  })
  return ['| ID | Rule | Tests that passed |', '|---|---|---|', ...rows, ''].join('\n')
}

const isTest = (file: string) => file.endsWith('.test.ts')

/** The test files that run a source: itself, or those that import it, or a file that does. */
export const findTestModules = (imports: Imports, file: string): readonly string[] =>
  isTest(file)
    ? [file]
    : [...imports.keys()].filter((each) => isTest(each) && reaches(imports, each, file))

function reaches(graph: Imports, from: string, to: string, seen: Set<string> = new Set()): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return (graph.get(from) ?? []).some((target) => reaches(graph, target, to, seen))
}
