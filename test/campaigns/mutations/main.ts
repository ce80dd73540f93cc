/** `npm run campaign -- mutations`: removes each guard of the threat model, and sees whether the tests that prove its row fail. */
import process from 'node:process'
import type { RanTest } from '../../../.ci/rules.ts'
import { formatSeconds, formatTable, parseOptions, runCampaign } from '../../bed/campaign.ts'
import { findUncovered } from './check.ts'
import { type Checkout, createCheckout, git } from './checkout.ts'
import { type Guard, removeGuard } from './guard.ts'
import { guards, unguarded } from './guards.ts'
import { findTestsOf, mergeRuns, needsConnector, planRuns } from './plan.ts'
import { runRandomMutations } from './run-random.ts'
import { buildConnector, runTests } from './run-tests.ts'
import { readSources, readThreats } from './sources.ts'

const rules = [...new Set(guards.map(({ rule }) => rule))]

/** `--changed` without a revision compares with main. */
function readArguments(args: readonly string[]) {
  const at = args.indexOf('--changed')
  const next = args[at + 1]
  const isAlone = at >= 0 && (next === undefined || next.startsWith('--'))
  const whole = isAlone ? args.toSpliced(at + 1, 0, 'main') : args
  try {
    return parseOptions({ rule: rules, changed: '', list: false, random: 0, seed: 1 }, whole)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Cannot run the campaign "mutations": ${reason}\n`)
    process.exit(2)
  }
}

const options = readArguments(process.argv.slice(2))
const changed = options.changed && git('diff', '--name-only', options.changed).split('\n')
const selected = guards.filter(
  ({ rule, file }) => options.rule.includes(rule) && (!changed || changed.includes(file)),
)
const sources = readSources()

const toRow = ({ rule, file, search, tests = [] }: Guard): readonly string[] => [
  ...[rule, file, search.split('\n')[0]?.trim() ?? ''],
  tests.join(', '),
]

const plans = selected.map((guard) => ({
  guard,
  runs: planRuns(findTestsOf(guard, sources), sources),
}))

async function run(): Promise<boolean> {
  const checkout = createCheckout()
  process.once('SIGINT', () => {
    checkout.remove()
    process.exit(130)
  })
  const survived: Guard[] = []
  try {
    if (options.random > 0) return await runRandomMutations(checkout, options.random, options.seed)
    const failing = await findFailing(checkout)
    for (const plan of plans) {
      const from = performance.now()
      const verdict = await tryGuard(checkout, plan, failing)
      const { rule, file } = plan.guard
      if (!verdict.startsWith('found')) survived.push(plan.guard)
      process.stdout.write(`${rule} (${file}): ${verdict}, ${formatSeconds(from)}\n`)
    }
  } finally {
    checkout.remove()
  }
  process.stdout.write(`\n${selected.length} guards removed, ${survived.length} not found\n`)
  for (const { rule, file } of survived) process.stdout.write(`  ${rule} (${file})\n`)
  return survived.length === 0
}

const nameOf = ({ module, title }: RanTest) => `${module}: ${title}`

/** The tests that fail on this machine with every guard in place: they find nothing. */
async function findFailing({ folder }: Checkout): Promise<ReadonlySet<string>> {
  const runs = mergeRuns(plans.flatMap((plan) => plan.runs))
  if (needsConnector(runs)) await buildConnector(folder)
  const { tests, broken } = await runTests(folder, runs)
  for (const reason of broken) process.stdout.write(`fails with every guard: ${reason}\n`)
  const failing = tests.filter(({ state }) => state === 'failed').map(nameOf)
  for (const name of failing) process.stdout.write(`fails with every guard: ${name}\n`)
  return new Set(failing)
}

/** Without the guard a test that proves its row has to fail. */
async function tryGuard(
  checkout: Checkout,
  { guard, runs }: (typeof plans)[number],
  failing: ReadonlySet<string>,
): Promise<string> {
  const { folder } = checkout
  const remove = (source: string) => removeGuard(source, guard)
  const outcome = await checkout.mutate(guard.file, remove, async () => {
    if (needsConnector(runs) && !(await buildConnector(folder))) return undefined
    return runTests(folder, runs)
  })
  if (outcome === undefined) return 'broken: the connector cannot be built'
  const cited = outcome.tests.filter(
    (test) => test.rules.includes(guard.rule) && !failing.has(nameOf(test)),
  )
  const failed = cited.filter(({ state }) => state === 'failed')
  if (failed.length > 0) return `found by ${failed.length} of ${cited.length} tests`
  if (outcome.broken.length > 0) return `broken: ${outcome.broken[0]}`
  const passed = cited.filter(({ state }) => state === 'passed')
  return `survived: ${passed.length} tests passed`
}

if (options.list) {
  process.stdout.write(`${formatTable(['row', 'file', 'guard', 'tests'], selected.map(toRow))}\n`)
  const reasons = Object.entries(unguarded).map(([id, reason]) => `  ${id}: ${reason}`)
  process.stdout.write(`\nRows without a guard that can be removed\n${reasons.join('\n')}\n`)
  process.stdout.write(`\nNot covered yet\n  ${findUncovered(readThreats()).join('\n  ')}\n`)
} else {
  await runCampaign(run)
}
