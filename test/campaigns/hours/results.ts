/** What the hours did, how often each invariant was checked, and what did not hold. */

/** What must hold; each is described in docs/reliability.md. */
export const invariants = [
  'token-in-time',
  'sync-on-cycle',
  'one-timer',
  'rotation-continues',
  'counted-once',
  'log-bounded',
  'log-whole',
  'rows-bounded',
  'database-bounded',
  'memory-flat',
  'no-defect',
] as const
export type Invariant = (typeof invariants)[number]

/** How many violations of an invariant are kept with their reasons. */
const maxReasons = 5

export interface Results {
  /** Counts events of a kind. */
  count(event: string, times?: number): void
  /** Counts that an invariant was looked at; a reason when it does not hold. */
  check(invariant: Invariant, holds: boolean, reason: () => string): void
  /** Each as `invariant: reason`. */
  violations(): readonly string[]
  /** Adds a table that is printed behind the others. */
  addTable(title: string, lines: readonly string[]): void
  print(): string
}

export function createResults(): Results {
  const [events, checks] = [new Map<string, number>(), new Map<string, number>()]
  const tables: string[] = []
  const reasons = new Map<Invariant, string[]>()
  const listReasons = () => [...reasons.values()].flat()
  let violated = 0
  const add = (counts: Map<string, number>, name: string, times = 1) =>
    void counts.set(name, (counts.get(name) ?? 0) + times)
  return {
    count: (event, times) => add(events, event, times),
    check(invariant, holds, reason) {
      add(checks, invariant)
      if (holds) return
      violated += 1
      const known = reasons.get(invariant) ?? []
      if (known.length < maxReasons) reasons.set(invariant, [...known, `${invariant}: ${reason()}`])
    },
    violations: listReasons,
    addTable: (title, lines) => void tables.push(`\n${title}`, ...lines.map((line) => `  ${line}`)),
    print: () =>
      [
        ...printCounts('What happened', [...events]),
        ...tables,
        ...printCounts(
          'Invariants checked',
          invariants.map((name) => [name, checks.get(name) ?? 0]),
        ),
        `\n${violated} violations`,
        ...listReasons().map((line) => `  ${line}`),
      ].join('\n'),
  }
}

const printCounts = (title: string, rows: readonly (readonly [string, number])[]) => [
  `\n${title}`,
  ...rows
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, number]) => `  ${number.toLocaleString('en').padStart(10)}  ${name}`),
]
