/** How much a run does where more of the same finds more: `npm run test:all` the first figure, `npm test` the second. */
import process from 'node:process'

const amounts = {
  'connectors killed while they count': [100, 12],
  'services killed while they count': [100, 10],
  'registries killed while pages ask': [100, 25],
  'devices copied to PostgreSQL': [100_000, 1_000],
  'pairs of browser and runtime of the service': [6, 1],
  'versions of legacy clients': [14, 6],
  'seeds of the simulation': [200, 8],
  'kills of each program under load': [3, 1],
  'codes of the card service from each call': [69, 18],
  'pairs of synchronizations at once': [100, 30],
  'generated requests to each program': [300, 100],
  'hostile bodies to each program': [1000, 100],
} as const satisfies Readonly<Record<string, readonly [all: number, short: number]>>

export type Amount = keyof typeof amounts

/** Whether the run is `npm run test:all`. */
export const isWholeRun = (environment = process.env): boolean => environment['TEST_ALL'] === 'yes'

export const getAmount = (name: Amount): number => amounts[name][isWholeRun() ? 0 : 1]

/** What a run of `npm test` does less of, in one sentence. */
export const describeAmounts = (): string =>
  `Fewer than with npm run test:all: ${Object.entries(amounts)
    .map(([name, [all, short]]) => `${short} of ${all} ${name}`)
    .join(
      ', ',
    )}. None of the states of the models, and none of the faults that the campaigns and the simulation have to notice.`
