/** Which tests a mutation runs: files, runtime and titles. */
import { type CitedTests, findCitedTests } from './cited-tests.ts'
import type { Guard } from './guard.ts'

export interface TestRun {
  readonly runtime: 'node' | 'bun'
  readonly files: readonly string[]
  /** Of titles; undefined: all tests of these files. */
  readonly pattern: string | undefined
}

export interface Sources {
  /** The files that call `proves`, with their texts. */
  readonly proving: ReadonlyMap<string, string>
  /** The test files that run a source: itself, or those that import a suite. */
  findModules(file: string): readonly string[]
}

/** The tests that prove the rule of a guard, in the files that it names. */
export const findTestsOf = ({ rule, tests }: Guard, { proving }: Sources): readonly CitedTests[] =>
  [...proving].flatMap(([file, source]) => {
    if (tests !== undefined && !tests.includes(file)) return []
    return findCitedTests(file, source, rule) ?? []
  })

const isOnBun = (file: string) =>
  /^(?:connector\/(?:src|test|build)|test\/simulation|test\/campaigns\/hours)\//.test(file) &&
  !file.startsWith('connector/test/binary/')

/** A suite is run by one of the files that import it: on Node, which has every suite. */
export function planRuns(cited: readonly CitedTests[], sources: Sources): readonly TestRun[] {
  const runs = cited.flatMap(({ file, pattern }) => {
    const modules = sources.findModules(file)
    const module = modules.find((each) => each.endsWith('service-node.test.ts')) ?? modules[0]
    return module === undefined ? [] : [{ module, pattern }]
  })
  return splitByRuntime(runs)
}

/** Whole test files. */
export const planFiles = (files: readonly string[]): readonly TestRun[] =>
  splitByRuntime(files.map((module) => ({ module, pattern: undefined })))

function splitByRuntime(
  runs: readonly { readonly module: string; readonly pattern: string | undefined }[],
): readonly TestRun[] {
  return (['node', 'bun'] as const).flatMap((runtime) => {
    const mine = runs.filter(({ module }) => isOnBun(module) === (runtime === 'bun'))
    if (mine.length === 0) return []
    const isWhole = mine.some(({ pattern }) => pattern === undefined)
    const pattern = isWhole ? undefined : mine.map((run) => run.pattern).join('|')
    return [{ runtime, files: [...new Set(mine.map(({ module }) => module))], pattern }]
  })
}

/** Whether a run starts the connector's binary, which has to be built with the mutation then. */
export const needsConnector = (runs: readonly TestRun[]): boolean =>
  runs.some(({ files }) =>
    files.some((file) => /^(?:connector\/test\/binary|client\/test)\//.test(file)),
  )

/** As few runs as possible that have all of these tests; what has a pattern is not made whole by what has none. */
export function mergeRuns(runs: readonly TestRun[]): readonly TestRun[] {
  const groups = Map.groupBy(runs, ({ runtime, pattern }) => `${runtime} ${pattern === undefined}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const files = [...new Set(group.flatMap((run) => run.files))]
    const patterns = [...new Set(group.map(({ pattern }) => pattern))]
    const pattern = first.pattern === undefined ? undefined : patterns.join('|')
    return [{ runtime: first.runtime, files, pattern }]
  })
}
