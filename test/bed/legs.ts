/**
 * On which legs the suites of the service run, and in which browsers the journeys: a leg is a runtime with an engine. Node with
 * SQLite and Chromium run all.
 */
import process from 'node:process'
import { isWholeRun } from './amounts.ts'

/**
 * What a suite tests beyond the rules of the service, which are the same code on every leg.
 * `statements`: SQL that PostgreSQL gets in other words. Suites with this word run every statement that the service has.
 * `changes`: transactions, constraints, limits of statements, and changes at the same moment, which are the driver's.
 * `files`: those of installers and keystores, which are in a folder or in a bucket.
 * `runtime`: bodies, streams, files, sockets, compression, cryptography, requests to others, or the log.
 */
type Dependency = 'statements' | 'changes' | 'files' | 'runtime'

/** By the name of the file in `ds/test/suites`, without `.suite.ts`. */
export const suites = {
  access: [],
  account: ['statements'],
  administration: ['runtime'],
  administrators: ['statements'],
  'api-clients': ['statements', 'changes', 'runtime'],
  approvals: ['statements', 'changes'],
  audit: ['statements', 'changes'],
  'audited-operations': ['statements'],
  'card-form': [],
  configurations: ['statements'],
  counters: ['statements', 'changes', 'runtime'],
  'device-search': ['statements', 'changes'],
  devices: ['statements'],
  documents: ['runtime'],
  downloads: ['statements', 'files', 'runtime'],
  examples: [],
  'external-login': ['statements', 'runtime'],
  'external-provider': ['runtime'],
  'gateway-check': ['runtime'],
  history: ['statements', 'changes'],
  identity: ['statements', 'runtime'],
  input: ['statements', 'runtime'],
  installers: ['statements', 'files', 'runtime'],
  keystore: ['runtime'],
  'keystore-files': ['statements', 'files', 'runtime'],
  labels: ['statements'],
  limits: ['changes', 'runtime'],
  'many-devices': ['statements', 'changes'],
  'many-tags': ['statements'],
  'package-choice': ['files'],
  'page-uploads': ['statements', 'files', 'runtime'],
  'organization-use': ['statements', 'changes'],
  pages: ['statements'],
  races: ['statements', 'changes'],
  reach: ['statements'],
  refusals: ['statements', 'changes'],
  replay: ['changes', 'runtime'],
  revisions: ['statements', 'changes'],
  roles: ['statements'],
  groups: ['statements', 'changes'],
  rollouts: ['statements', 'changes'],
  secrets: ['runtime'],
  'session-api': [],
  'slow-peers': ['runtime'],
  stamping: ['statements', 'files', 'runtime'],
  sync: ['statements', 'files', 'runtime'],
  system: ['runtime'],
  tokens: ['statements', 'runtime'],
  'unusual-text': ['statements', 'changes'],
  versions: ['statements'],
  wait: ['statements', 'runtime'],
  webhooks: ['statements', 'changes', 'runtime'],
} as const satisfies Readonly<Record<string, readonly Dependency[]>>

export type SuiteName = keyof typeof suites

/** What no earlier leg has: only suites that depend on it run on the leg. */
const legs = {
  'Node with SQLite': undefined,
  'Deno with SQLite': ['changes', 'runtime'],
  'workerd with D1': ['changes', 'runtime'],
  'Node with PostgreSQL': ['statements', 'changes'],
  'Node with a bucket': ['files'],
  // What is in no other leg, `ds/test/bucket` has.
  'Deno with a bucket': [],
  // Its runtime is that of one leg, its driver that of another.
  'workerd with PostgreSQL': [],
} as const satisfies Readonly<Record<string, readonly Dependency[] | undefined>>

export type Leg = keyof typeof legs

/** The test files that `npm test` does not load: they declare nothing there. */
export const getLeftOutFiles = (environment = process.env): readonly string[] =>
  isWholeRun(environment) ? [] : Object.keys(wholeRunFiles)

const wholeRunFiles = {
  'ds/test/service-postgres-worker.test.ts': 'the service on workerd with PostgreSQL',
  'ds/test/postgres/worker.test.ts': 'what is only there',
  // Each of the two legs that it is made of runs.
  'ds/test/service-bucket-deno.test.ts': 'files in a bucket on Deno',
  // The same commands run on SQLite, and their statements in suites on PostgreSQL.
  'ds/test/postgres/admin.test.ts': 'the administrators’ command on PostgreSQL',
  'ds/test/postgres/secret.test.ts': 'a rotated secret there',
  // A hundred thousand devices; other tests have fewer.
  'ds/test/rollout-walk.test.ts': 'a rollout of a large fleet with the pages only',
  // The suites of the service have what Workers do in another way.
  'connector/test/binary/service-workerd.test.ts': 'the connector with the service on workerd',
  // Tests of the page and of the doctor have the same sentences.
  'client/example/test/no-card-service.test.ts': 'the example without a card service',
  'client/example/test/no-desktop.test.ts': 'without a desktop',
  'client/example/test/no-pin-window.test.ts': 'without a window for PINs',
  // npm loads Next for it, which the lock does not have.
  'client/test/journeys/next.test.ts': 'a page built by Next',
  // A journey meets the same prompt.
  'client/example/test/public-page.test.ts': 'the example on the internet',
  // Other files under Wine do the same, with the program or with its sources.
  'connector/test/certs/windows.test.ts': 'the root stores of Windows by their functions',
  'connector/test/wine/files-binary.test.ts': 'files of pages by the program for Windows',
  // The processes of one account meet the same limits.
  'connector/test/binary/users/registry-memory.test.ts': 'the memory of the registry service',
  'test/campaigns/hours/hours.test.ts': 'an hour of the campaign',
  // Chromium opens the same screens in `ds/test/pages/screens.test.ts`.
  'ds/test/pages/firefox.test.ts': 'the admin console in Firefox',
} as const

/**
 * What a page test asks of the browser itself, in `client/test/journeys`. Chromium runs all of them, Firefox those with a reason.
 * `network`: the browser's permission, and what a page sees of a request that fails.
 * `tabs`: what the browser does with the requests of a tab that goes.
 */
const journeys = {
  card: [],
  open: ['network', 'tabs'],
  permission: ['network'],
  renewal: [],
  transaction: [],
  'two users': [],
  'untrusted root': [],
  visit: [],
  watch: [],
} as const satisfies Readonly<Record<string, readonly ('network' | 'tabs')[]>>

export type Journey = keyof typeof journeys

export const firefoxRuns = (journey: Journey, environment = process.env): boolean =>
  isWholeRun(environment) || journeys[journey].length > 0

export const runsOn = (leg: Leg, suite: SuiteName, environment = process.env): boolean =>
  isNeeded(leg, suites[suite], environment)

function isNeeded(
  leg: Leg,
  dependencies: readonly Dependency[],
  environment: NodeJS.ProcessEnv,
): boolean {
  const needed: readonly Dependency[] | undefined = legs[leg]
  if (needed === undefined || isWholeRun(environment)) return true
  return dependencies.some((dependency) => needed.includes(dependency))
}

/** What a run of the tests leaves out, in one sentence; undefined when it leaves out nothing. */
export function describeLeftOut(environment = process.env): string | undefined {
  if (isWholeRun(environment)) return undefined
  const names = Object.keys(suites) as SuiteName[]
  const counts = (Object.keys(legs) as Leg[]).flatMap((leg) => {
    const count = names.filter((name) => !runsOn(leg, name, environment)).length
    return count > 0 ? `${count} on ${leg}` : []
  })
  const journeyNames = Object.keys(journeys) as Journey[]
  const alone = journeyNames.filter((name) => !firefoxRuns(name, environment))
  return [
    `Left out, of ${names.length} suites of the service: ${counts.join(', ')};`,
    `of ${journeyNames.length} journeys in Firefox: ${alone.join(', ')};`,
    `the files of ${Object.values(wholeRunFiles).join(', ')}.`,
    'Other legs, files and Chromium prove the same rules; npm run test:all runs everything.',
  ].join(' ')
}
