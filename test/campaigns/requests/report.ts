/** What a campaign did, as counts and as a table. */
import { formatTable } from '../../bed/campaign.ts'
import type { Outcome } from './connection.ts'
import type { TargetName } from './documented.ts'
import { type Group, groups, type PlannedRequest } from './planned-request.ts'

export interface Totals {
  readonly target: TargetName
  readonly seed: number
  readonly groups: Record<Group, number>
  /** By the class of the status; `closed`: the connection was closed without one, as it may be. */
  readonly classes: Record<'2xx' | '3xx' | '4xx' | '5xx' | 'closed' | 'cut off', number>
  /** Milliseconds; of those that the program has to give up the slowest is counted for itself. */
  readonly slowestMs: { prompt: number; waiting: number }
  readonly memory: { startBytes: number; mostBytes: number; endBytes: number }
  readonly limited: { sent: number; refused: number }
  /** What the slowest whole request was. */
  slowest: string
  /** How often each fault was seen. */
  readonly faultCounts: Map<string, number>
  requests: number
  faults: number
}

export const createTotals = (target: TargetName, { seed }: { readonly seed: number }): Totals => ({
  target,
  seed,
  groups: Object.fromEntries(groups.map((group) => [group, 0])) as Record<Group, number>,
  classes: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, closed: 0, 'cut off': 0 },
  slowestMs: { prompt: 0, waiting: 0 },
  memory: { startBytes: 0, mostBytes: 0, endBytes: 0 },
  limited: { sent: 0, refused: 0 },
  slowest: '',
  faultCounts: new Map(),
  requests: 0,
  faults: 0,
})

export function addOutcome(
  totals: Totals,
  { group, number, kind, operation }: PlannedRequest,
  { responses, end, ms }: Outcome,
  isWaiting: boolean,
): void {
  const lane = isWaiting ? 'waiting' : 'prompt'
  if (!isWaiting && ms > totals.slowestMs.prompt) {
    totals.slowest = `request ${number} (${kind}, ${operation?.name ?? group})`
  }
  totals.requests += 1
  totals.groups[group] += 1
  totals.slowestMs[lane] = Math.max(totals.slowestMs[lane], ms)
  if (group === 'limited') totals.limited.sent += 1
  const status = responses[0]?.status
  if (group === 'limited' && status === 429) totals.limited.refused += 1
  if (end === 'gone') totals.classes['cut off'] += 1
  else if (status === undefined) totals.classes.closed += 1
  else totals.classes[`${Math.floor(status / 100)}xx` as '2xx'] += 1
}

const columns = [
  'Target',
  'Requests',
  'Valid',
  'Near-valid',
  'Hostile',
  'Limited (429)',
  'Bodies',
  '2xx',
  '3xx',
  '4xx',
  '5xx',
  'Closed',
  'Cut off',
  'Slowest, s',
  'Given up, s',
  'MiB start, most, end',
  'Faults',
  'Seed',
] as const

const toMebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)
const toSeconds = (ms: number) => (ms / 1000).toFixed(1)
const count = (value: number) => value.toLocaleString('en')

function toCells({ target, seed, classes, memory, limited, ...totals }: Totals): readonly string[] {
  const { startBytes, mostBytes, endBytes } = memory
  const of = totals.groups
  return [
    target,
    count(totals.requests),
    count(of.valid),
    count(of['near-valid']),
    count(of.hostile),
    `${count(limited.sent)} (${count(limited.refused)})`,
    count(of.bodies),
    ...Object.values(classes).map(count),
    toSeconds(totals.slowestMs.prompt),
    toSeconds(totals.slowestMs.waiting),
    [startBytes, mostBytes, endBytes].map(toMebibytes).join(', '),
    count(totals.faults),
    String(seed),
  ]
}

/** As a table of Markdown. */
export const printTable = (all: readonly Totals[]): string => formatTable(columns, all.map(toCells))

/** Each fault with how often it was seen. */
export const printFaults = (all: readonly Totals[]): string =>
  all
    .flatMap(({ target, faultCounts }) =>
      [...faultCounts].map(([what, times]) => `${target}: ${times} × ${what}`),
    )
    .join('\n')
