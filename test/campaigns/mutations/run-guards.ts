/** Removes guards, one at a time, and runs the tests that prove their rows. */
import process from 'node:process'
import type { RanTest } from '../../../.ci/rules.ts'
import { formatSeconds } from '../../bed/campaign.ts'
import { orderByCost, readSecondsOfChildren } from './budget.ts'
import type { Checkout } from './checkout.ts'
import { type Guard, removeGuard } from './guard.ts'
import { mergeRuns, needsConnector, type TestRun } from './plan.ts'
import { buildConnector, type Outcome, runTests } from './run-tests.ts'

export interface Plan {
  readonly guard: Guard
  readonly runs: readonly TestRun[]
}

interface Verdict {
  readonly kind: 'found' | 'survived' | 'broken' | 'not run'
  readonly text: string
}

const nameOf = ({ module, title }: RanTest) => `${module}: ${title}`
const describePlan = ({ guard: { rule, file } }: Plan) => `${rule} (${file})`
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Resolves with whether each guard was found. */
export async function runGuards(checkout: Checkout, plans: readonly Plan[]): Promise<boolean> {
  const failing = await findFailing(checkout, plans)
  const missed: Plan[] = []
  for (const plan of plans) {
    const { kind } = await runGuard(checkout, plan, failing)
    if (kind !== 'found') missed.push(plan)
  }
  print(`\n${plans.length} guards removed, ${missed.length} not found`)
  for (const plan of missed) print(`  ${describePlan(plan)}`)
  return missed.length === 0
}

/**
 * The same for as many as `seconds` of processor time are enough for; the others are named. For the end of a test run: what fails
 * with every guard has failed there, and what this machine cannot run was skipped. Resolves with whether none survived.
 */
export async function runGuardsWithin(
  seconds: number,
  checkout: Checkout,
  plans: readonly Plan[],
): Promise<boolean> {
  const { tried, leftOut } = orderByCost(plans)
  const end = readSecondsOfChildren() + seconds
  const survived: Plan[] = []
  const rest = [...tried]
  for (let plan = rest.shift(); plan !== undefined; plan = rest.shift()) {
    const { kind } = await runGuard(checkout, plan, new Set())
    if (kind === 'survived') survived.push(plan)
    if (readSecondsOfChildren() >= end) break
  }
  const left = [...rest, ...leftOut]
  print(
    `${tried.length - rest.length} guards of changed files removed, ${survived.length} survived, ${left.length} left out`,
  )
  for (const plan of survived) print(`  survived: ${describePlan(plan)}`)
  for (const plan of left) print(`  left out: ${describePlan(plan)}`)
  return survived.length === 0
}

async function runGuard(
  checkout: Checkout,
  plan: Plan,
  failing: ReadonlySet<string>,
): Promise<Verdict> {
  const from = performance.now()
  const verdict = await tryGuard(checkout, plan, failing)
  print(`${describePlan(plan)}: ${verdict.text}, ${formatSeconds(from)}`)
  return verdict
}

/** The tests that fail on this machine with every guard in place: they find nothing. */
async function findFailing(
  { folder }: Checkout,
  plans: readonly Plan[],
): Promise<ReadonlySet<string>> {
  const runs = mergeRuns(plans.flatMap((plan) => plan.runs))
  if (needsConnector(runs)) await buildConnector(folder)
  const { tests, broken } = await runTests(folder, runs)
  for (const reason of broken) print(`fails with every guard: ${reason}`)
  const failing = tests.filter(({ state }) => state === 'failed').map(nameOf)
  for (const name of failing) print(`fails with every guard: ${name}`)
  return new Set(failing)
}

/** Without the guard a test that proves its row has to fail. */
async function tryGuard(
  checkout: Checkout,
  { guard, runs }: Plan,
  failing: ReadonlySet<string>,
): Promise<Verdict> {
  const { folder } = checkout
  const remove = (source: string) => removeGuard(source, guard)
  const outcome = await checkout.mutate(guard.file, remove, async () => {
    if (needsConnector(runs) && !(await buildConnector(folder))) return undefined
    return runTests(folder, runs)
  })
  if (outcome === undefined)
    return { kind: 'broken', text: 'broken: the connector cannot be built' }
  return judge(outcome, guard, failing)
}

/** What the tests that prove the row of a guard have found without it. */
export function judge(
  { tests, broken: [broken] }: Outcome,
  { rule }: Pick<Guard, 'rule'>,
  failing: ReadonlySet<string>,
): Verdict {
  const cited = tests.filter((test) => test.rules.includes(rule) && !failing.has(nameOf(test)))
  const count = (state: RanTest['state']) => cited.filter((test) => test.state === state).length
  if (count('failed') > 0)
    return { kind: 'found', text: `found by ${count('failed')} of ${cited.length} tests` }
  if (broken !== undefined) return { kind: 'broken', text: `broken: ${broken}` }
  if (count('passed') === 0) return { kind: 'not run', text: 'not run: every test was skipped' }
  return { kind: 'survived', text: `survived: ${count('passed')} tests passed` }
}
