/** The releases that the campaign rolls out, and what has to come of them. */
import { createTally } from '../../bed/campaign.ts'
import { failures, type Release } from './machine.ts'
import { type RunOptions, type RunResult, runRollout } from './run.ts'

const invariants = ['within-its-stage', 'pause-kept', 'good-not-halted', 'bad-halted'] as const

interface Scenario {
  readonly name: string
  readonly release: Release
  readonly pauseAfter?: number
  /** Whether a run ends as it should; of all runs, this share has to. */
  readonly isRight: (result: RunResult) => boolean
  readonly share: number
  readonly invariant: (typeof invariants)[number]
}

/** In percent of the fleet: at so many, it is too late to halt a bad release. */
const tooMany = 10

const createBad = (name: string, kinds: Release['failures']): Scenario => ({
  name: `bad: ${name}`,
  release: { rate: 0.04, failures: kinds },
  isRight: ({ state, share }) => state === 'halted' && share < tooMany,
  ...{ share: 0.95, invariant: 'bad-halted' },
})

const scenarios: readonly Scenario[] = [
  {
    name: 'good',
    release: { rate: 0.01, failures },
    isRight: ({ state }) => state === 'finished',
    ...{ share: 0.99, invariant: 'good-not-halted' },
  },
  {
    name: 'good, and something else strikes',
    release: { rate: 0.01, failures, strikeAfter: 60 },
    isRight: ({ state }) => state === 'finished',
    ...{ share: 0.99, invariant: 'good-not-halted' },
  },
  createBad('new fault', ['fault']),
  createBad('goes back', ['back']),
  createBad('never heard from again', ['silence']),
  createBad('each of these', failures),
  {
    name: 'paused, bad',
    release: { rate: 0.04, failures },
    pauseAfter: 24,
    isRight: ({ state, stage, stagesAt }) =>
      state === 'paused' && stage === 0 && stagesAt.length === 1,
    ...{ share: 1, invariant: 'pause-kept' },
  },
]

export interface CampaignOptions extends Pick<RunOptions, 'machines' | 'rules'> {
  readonly from: number
  readonly seeds: number
  /** Names of scenarios. */
  readonly releases: readonly string[]
}

export const names: readonly string[] = scenarios.map(({ name }) => name)

/** Each scenario with each seed. */
export function runScenarios({ from, seeds, releases, ...options }: CampaignOptions) {
  const tally = createTally(invariants)
  const chosen = scenarios.filter(({ name }) => releases.includes(name))
  const rows = chosen.map((scenario) => {
    const { name, release, pauseAfter, isRight, share, invariant } = scenario
    const results = Array.from({ length: seeds }, (_, at) =>
      runRollout({
        ...{ ...options, release, seed: from + at },
        ...(pauseAfter !== undefined && { pauseAfter }),
      }),
    )
    const wrong = results.flatMap((result, at) => (isRight(result) ? [] : [from + at]))
    tally.check(
      invariant,
      wrong.length <= seeds * (1 - share) + 1e-9,
      () => `${name}: ${wrong.length} of ${seeds}, such as seed ${wrong.slice(0, 5).join(', ')}`,
    )
    for (const [at, { violations }] of results.entries())
      tally.check(
        'within-its-stage',
        violations.length === 0,
        () => `${name}, seed ${from + at}: ${violations[0]}`,
      )
    return [name, String(seeds), ...describe(results), String(seeds - wrong.length)]
  })
  return { rows, tally }
}

export const columns = [
  ...['Release', 'Seeds', 'Halted', 'Days, median', 'Slowest, days'],
  ...['Had it, median', 'Had it, most', 'Correct outcome'],
]

function describe(results: readonly RunResult[]): readonly string[] {
  const days = results.map(({ hours }) => hours / 24).toSorted((one, other) => one - other)
  const shares = results.map(({ share }) => share).toSorted((one, other) => one - other)
  const halted = results.filter(({ state }) => state === 'halted').length
  return [
    String(halted),
    ...[pickMiddle(days), days.at(-1)].map((each) => (each ?? 0).toFixed(1)),
    ...[pickMiddle(shares), shares.at(-1)].map((each) => `${(each ?? 0).toFixed(1)}%`),
  ]
}

const pickMiddle = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)]
