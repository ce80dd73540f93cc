/** What a target of the campaign did, how often each invariant was checked, and what did not hold. */

/** What must hold; each is described in docs/reliability.md. */
export const invariants = [
  'starts-again',
  'answered-in-time',
  'no-defect',
  'acknowledged-kept',
  'counted-once',
  'database-whole',
  'listing-true',
  'settles',
  'answers-right',
  'fails-with-its-node',
] as const
export type Invariant = (typeof invariants)[number]

/** How many violations are kept with their reasons. */
const maxReasons = 20

export interface Results {
  readonly target: string
  /** Counts events of a kind. */
  count(event: string, times?: number): void
  /** Keeps the longest duration of a kind, in milliseconds. */
  measure(what: string, ms: number): void
  /** Counts that an invariant was looked at; a reason when it does not hold. */
  check(invariant: Invariant, holds: boolean, reason: () => string): void
  /** Each as `invariant: reason`. */
  violations(): readonly string[]
  print(): string
}

export function createResults(target: string): Results {
  const [events, longest, checks] = [createCounts(), new Map<string, number>(), createCounts()]
  const violations: string[] = []
  let violated = 0
  return {
    target,
    count: events.add,
    measure: (what, ms) => void longest.set(what, Math.max(longest.get(what) ?? 0, ms)),
    check(invariant, holds, reason) {
      checks.add(invariant)
      if (holds) return
      violated += 1
      if (violations.length < maxReasons) violations.push(`${invariant}: ${reason()}`)
    },
    violations: () => violations,
    print: () =>
      [
        ...printRows(`${target}: what happened`, events.all),
        ...printRows('Longest, in milliseconds', longest),
        ...printRows('Invariants checked', checks.all),
        `\n${target}: ${violated} violations`,
        ...violations.map((line) => `  ${line}`),
      ].join('\n'),
  }
}

function createCounts() {
  const all = new Map<string, number>()
  const add = (name: string, times = 1) => void all.set(name, (all.get(name) ?? 0) + times)
  return { all, add }
}

const printRows = (title: string, rows: ReadonlyMap<string, number>): readonly string[] => [
  `\n${title}`,
  ...[...rows]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, number]) => `  ${Math.round(number).toLocaleString('en').padStart(10)}  ${name}`),
]
