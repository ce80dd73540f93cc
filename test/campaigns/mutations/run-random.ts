/** Tries mutations of chance, each with the tests that import its file, and says which survived. */
import process from 'node:process'
import { readImports } from '../../../.ci/layers.ts'
import { formatSeconds } from '../../bed/campaign.ts'
import { createRandom } from '../../bed/random.ts'
import { root } from '../../bed/repository.ts'
import type { Checkout } from './checkout.ts'
import { mergeRuns, planFiles } from './plan.ts'
import {
  applyMutation,
  describeMutation,
  listMutations,
  type Mutation,
} from './random-mutations.ts'
import { runTests } from './run-tests.ts'
import { readSource } from './sources.ts'

const program = /^(?:client|connector|ds)\/src\//
/** Tests that take more than some seconds: of binaries, browsers, packages, several machines. */
const slow =
  /^(?:test|client\/test\/journeys|connector\/test\/(?:binary|wine|packages|certs)|ds\/test\/postgres)\/|\/service-\w+/
/** Test files of a mutation: the first that import its file. */
const maxFiles = 3
/** Many mutations make a program wait for ever; without one, no run of so few files takes half as long. */
const maxMs = 120_000

/** Which mutations are tried. */
export interface RandomChoice {
  /** How many are picked. */
  readonly count: number
  /** The same seed picks the same ones of the same sources. */
  readonly seed: number
  /** The first of them that is tried, from 1; the last. */
  readonly from: number
  readonly to: number
}

/** Resolves with whether every one ended. */
export async function runRandomMutations(
  checkout: Checkout,
  { count, seed, from, to }: RandomChoice,
): Promise<boolean> {
  const imports = readImports(root)
  const random = createRandom(seed)
  const all = [...imports.keys()]
    .filter((file) => program.test(file) && !/\.test\.tsx?$/.test(file))
    .toSorted()
    .flatMap((file) => listMutations(file, readSource(file)))
  process.stdout.write(`${all.length} mutations are possible, seed ${seed}\n`)
  const picked = pickSome(all, count, () => random.next()).slice(from - 1, to)
  const plans = picked.map((mutation) => ({
    mutation,
    runs: planFiles(findNearest(imports, mutation.file)),
  }))
  const before = await runTests(checkout.folder, mergeRuns(plans.flatMap(({ runs }) => runs)))
  const failing = new Set(before.tests.filter(({ state }) => state === 'failed').map(toName))
  const counts = { killed: 0, survived: 0, 'no test': 0 }
  for (const { mutation, runs } of plans) {
    const startedAt = performance.now()
    const verdict = runs.length === 0 ? 'no test' : await tryMutation(mutation)
    counts[verdict] += 1
    const what = describeMutation(readSource(mutation.file), mutation)
    process.stdout.write(`${verdict}: ${what}, ${formatSeconds(startedAt)}\n`)

    async function tryMutation({ file }: Mutation): Promise<'killed' | 'survived'> {
      const change = (source: string) => applyMutation(source, mutation)
      const { tests, broken } = await checkout.mutate(file, change, () =>
        runTests(checkout.folder, runs, maxMs),
      )
      const found = tests.some((test) => test.state === 'failed' && !failing.has(toName(test)))
      return found || broken.length > 0 ? 'killed' : 'survived'
    }
  }
  process.stdout.write(`\n${JSON.stringify(counts)}\n`)
  return true
}

const toName = ({ module, title }: { readonly module: string; readonly title: string }) =>
  `${module}: ${title}`

function pickSome<T>(items: readonly T[], count: number, next: () => number): readonly T[] {
  const left = [...items]
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(next() * left.length), 1),
  ).flat()
}

/** The test files that import a file, or that import one which does, and so on: the nearest. */
function findNearest(
  imports: ReadonlyMap<string, readonly string[]>,
  file: string,
): readonly string[] {
  const seen = new Set([file])
  for (let level = [file]; level.length > 0; ) {
    const next = [...imports].flatMap(([from, targets]) =>
      !seen.has(from) && level.some((each) => targets.includes(each)) ? [from] : [],
    )
    for (const each of next) seen.add(each)
    const tests = next.filter((each) => each.endsWith('.test.ts') && !slow.test(each))
    if (tests.length > 0) return tests.slice(0, maxFiles)
    level = next
  }
  return []
}
