/** What many seeds did, summed and as a table. */
import { formatCounts } from '../bed/campaign.ts'
import { invariants } from './report.ts'
import type { Outcome } from './run-seed.ts'

export interface Totals {
  readonly seeds: number
  readonly failed: number
  readonly steps: number
  readonly hours: number
  readonly events: Readonly<Record<string, number>>
  readonly faults: Readonly<Record<string, number>>
  readonly checks: Readonly<Record<string, number>>
}

export const createTotals = (): Totals => ({
  ...{ seeds: 0, failed: 0, steps: 0, hours: 0 },
  ...{ events: {}, faults: {}, checks: {} },
})

export const addTotals = (totals: Totals, more: Totals | Outcome): Totals => {
  const { seeds, failed, steps, hours, events, faults, checks } =
    'report' in more ? toTotals(more) : more
  return {
    seeds: totals.seeds + seeds,
    failed: totals.failed + failed,
    steps: totals.steps + steps,
    hours: totals.hours + hours,
    events: addCounts(totals.events, events),
    faults: addCounts(totals.faults, faults),
    checks: addCounts(totals.checks, checks),
  }
}

const toTotals = ({ steps, lastedMs, report, violation }: Outcome): Totals => ({
  ...{ seeds: 1, failed: violation ? 1 : 0, steps, hours: lastedMs / 3_600_000 },
  events: Object.fromEntries(report.events),
  faults: Object.fromEntries(report.faults),
  checks: Object.fromEntries(report.checks),
})

const addCounts = (
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> => {
  const sum = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

export function printTotals(totals: Totals): string {
  const { seeds, failed, steps, hours, events, faults, checks } = totals
  const looked = Object.fromEntries(invariants.map((name) => [name, checks[name] ?? 0]))
  return [
    ...formatCounts(
      'Simulation',
      Object.entries({ seeds, failed, steps, 'virtual hours': Math.round(hours) }),
    ),
    ...formatCounts('Faults', Object.entries(faults)),
    ...formatCounts('Events', Object.entries(events)),
    ...formatCounts('Invariants checked', Object.entries(looked)),
  ].join('\n')
}
