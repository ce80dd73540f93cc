/** `npm run campaign -- mutations`: removes each guard of the threat model, and sees whether the tests that prove its row fail. */
import process from 'node:process'
import { formatTable, parseOptions, runCampaign } from '../../bed/campaign.ts'
import { root } from '../../bed/repository.ts'
import { findBase } from './changed.ts'
import { findUncovered } from './check.ts'
import { createCheckout } from './checkout.ts'
import { openGit } from './git.ts'
import type { Guard } from './guard.ts'
import { guards, unguarded } from './guards.ts'
import { findTestsOf, planRuns } from './plan.ts'
import { runGuards, runGuardsWithin } from './run-guards.ts'
import { runRandomMutations } from './run-random.ts'
import { readSources, readThreats } from './sources.ts'

const rules = [...new Set(guards.map(({ rule }) => rule))]
/** What `--changed` without a revision means. */
const sinceBase = 'the base'
const git = openGit(root)
/** `from` and `to`: which of the random ones, so that processors share them and a run can be taken up again. */
const randomDefaults = { random: 0, seed: 1, from: 1, to: 1_000_000 }

function readArguments(args: readonly string[]) {
  const at = args.indexOf('--changed')
  const next = args[at + 1]
  const isAlone = at >= 0 && (next === undefined || next.startsWith('--'))
  const whole = isAlone ? args.toSpliced(at + 1, 0, sinceBase) : args
  try {
    const defaults = { rule: rules, changed: '', budget: 0, list: false, ...randomDefaults }
    return parseOptions(defaults, whole)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Cannot run the campaign "mutations": ${reason}\n`)
    process.exit(2)
  }
}

const options = readArguments(process.argv.slice(2))
const changed = options.changed && listChanged(options.changed)
const selected = guards.filter(
  ({ rule, file }) => options.rule.includes(rule) && (!changed || changed.includes(file)),
)
const sources = readSources()

function listChanged(given: string): readonly string[] {
  const base = given === sinceBase ? findBase(git) : given
  if (base !== undefined) return git('diff', '--name-only', base).split('\n')
  process.stdout.write('No guard was removed: there is no earlier commit to compare with\n')
  return process.exit(0)
}

const toRow = ({ rule, file, search, tests = [] }: Guard): readonly string[] => [
  ...[rule, file, search.split('\n')[0]?.trim() ?? ''],
  tests.join(', '),
]

async function run(): Promise<boolean> {
  const plans = selected.map((guard) => ({
    guard,
    runs: planRuns(findTestsOf(guard, sources), sources),
  }))
  const checkout = createCheckout()
  process.once('SIGINT', () => {
    checkout.remove()
    process.exit(130)
  })
  try {
    if (options.random > 0) {
      const { random: count, seed, from, to } = options
      return await runRandomMutations(checkout, { count, seed, from, to })
    }
    if (options.budget > 0) return await runGuardsWithin(options.budget, checkout, plans)
    return await runGuards(checkout, plans)
  } finally {
    checkout.remove()
  }
}

if (options.list) {
  process.stdout.write(`${formatTable(['row', 'file', 'guard', 'tests'], selected.map(toRow))}\n`)
  const reasons = Object.entries(unguarded).map(([id, reason]) => `  ${id}: ${reason}`)
  process.stdout.write(`\nRows without a guard that can be removed\n${reasons.join('\n')}\n`)
  process.stdout.write(`\nNot covered yet\n  ${findUncovered(readThreats()).join('\n  ')}\n`)
} else {
  await runCampaign(run)
}
