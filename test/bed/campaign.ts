/** The frame of every campaign: its options, what it counts, its tables, and how it ends. */
import process from 'node:process'
import { parseArgs } from 'node:util'

/** The default says what an option is: a whole number, a text, a flag, or names out of these, one with each use. */
type Default = number | string | boolean | readonly string[]
type Value<D> = D extends number
  ? number
  : D extends boolean
    ? boolean
    : D extends readonly (infer Name)[]
      ? readonly Name[]
      : string
export type Options<D> = { readonly [Name in keyof D]: Value<D[Name]> }

/** Throws an error that says what is wrong with the arguments. A number is at least 1, or 0 where that is the default. */
export function parseOptions<const D extends Readonly<Record<string, Default>>>(
  defaults: D,
  args: readonly string[],
): Options<D> {
  const options = Object.entries(defaults).map(([name, value]) => {
    const type = typeof value === 'boolean' ? ('boolean' as const) : ('string' as const)
    return [name, { type, multiple: typeof value === 'object' }] as const
  })
  const { values } = parseArgs({ args: [...args], options: Object.fromEntries(options) })
  const read = (name: string, byDefault: Default): unknown => {
    const value = values[name] ?? byDefault
    if (typeof byDefault === 'number') {
      const [number, min] = [Number(value), Math.min(byDefault, 1)]
      if (Number.isSafeInteger(number) && number >= min && value !== '') return number
      throw new Error(`--${name} is a whole number of at least ${min}`)
    }
    if (typeof byDefault === 'object' && Array.isArray(value)) {
      if (value.every((each) => byDefault.includes(String(each)))) return value
      throw new Error(`--${name} is one of ${byDefault.join(', ')}`)
    }
    return value
  }
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, read(name, value)]),
  ) as Options<D>
}

/** The options of this process. It ends with 2 when they are wrong. */
export function readOptions<const D extends Readonly<Record<string, Default>>>(
  campaign: string,
  defaults: D,
): Options<D> {
  try {
    return parseOptions(defaults, process.argv.slice(2))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Cannot run the campaign "${campaign}": ${reason}\n`)
    process.exit(2)
  }
}

/** Runs it, prints how long it took, and ends the process: with 0 when everything held, else with 1. */
export async function runCampaign(run: () => Promise<boolean>): Promise<never> {
  const from = performance.now()
  const holds = await run()
  process.stdout.write(`\n${formatSeconds(from)}\n`)
  // A request that has no end keeps nobody waiting.
  process.exit(holds ? 0 : 1)
}

/** The time since then; `from` as performance.now() has it. */
export const formatSeconds = (from: number): string =>
  `${((performance.now() - from) / 1000).toFixed(1)} s`

/** Counts by their names. */
export function createCounts() {
  const all = new Map<string, number>()
  const add = (name: string, times = 1) => void all.set(name, (all.get(name) ?? 0) + times)
  return { all, add }
}

/** A title and its numbers, the largest first. */
export const formatCounts = (
  title: string,
  counts: Iterable<readonly [string, number]>,
): readonly string[] => [
  `\n${title}`,
  ...[...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, number]) => `  ${Math.round(number).toLocaleString('en').padStart(14)}  ${name}`),
]

/** A table of Markdown. */
export const formatTable = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string =>
  [columns, columns.map(() => '---'), ...rows]
    .map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')))
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** What a campaign did, how often each invariant was checked, and what did not hold. */
export interface Tally<Invariant extends string> {
  /** Counts events of a kind. */
  count(event: string, times?: number): void
  /** Keeps the longest duration of a kind, in milliseconds. */
  measure(what: string, ms: number): void
  /** Counts that an invariant was looked at; a reason when it does not hold. */
  check(invariant: Invariant, holds: boolean, reason: () => string): void
  /** Each as `invariant: reason`. */
  violations(): readonly string[]
  /** Adds a table that is printed behind the counts. */
  addTable(title: string, lines: readonly string[]): void
  print(): string
}

/** How many violations of an invariant are kept with their reasons. */
const maxReasons = 5

export function createTally<Invariant extends string>(
  invariants: readonly Invariant[],
): Tally<Invariant> {
  const [events, checks, longest] = [createCounts(), createCounts(), new Map<string, number>()]
  const tables: string[] = []
  const reasons = new Map<Invariant, string[]>()
  const listReasons = () => [...reasons.values()].flat()
  let violated = 0
  return {
    count: events.add,
    measure: (what, ms) => void longest.set(what, Math.max(longest.get(what) ?? 0, ms)),
    check(invariant, holds, reason) {
      checks.add(invariant)
      if (holds) return
      violated += 1
      const known = reasons.get(invariant) ?? []
      if (known.length < maxReasons) reasons.set(invariant, [...known, `${invariant}: ${reason()}`])
    },
    violations: listReasons,
    addTable: (title, lines) => void tables.push(`\n${title}`, ...lines.map((line) => `  ${line}`)),
    print: () =>
      [
        ...formatCounts('What happened', events.all),
        ...(longest.size > 0 ? formatCounts('Longest, in milliseconds', longest) : []),
        ...tables,
        ...formatCounts(
          'Invariants checked',
          invariants.map((name) => [name, checks.all.get(name) ?? 0] as const),
        ),
        `\n${violated} violations`,
        ...listReasons().map((line) => `  ${line}`),
      ].join('\n'),
  }
}
