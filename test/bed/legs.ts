/** On which legs the suites of the service run: a leg is a runtime with an engine, and Node with SQLite runs all. */
import process from 'node:process'

/**
 * What a suite tests beyond the rules of the service, which are the same code on every leg. `engine`: SQL that the engines
 * write differently, limits of statements, constraints, transactions, or changes at the same moment. `runtime`: bodies,
 * streams, files, sockets, compression, cryptography, requests to others, or the log.
 */
type Dependency = 'engine' | 'runtime'

/** By the name of the file in `ds/test/suites`, without `.suite.ts`. */
export const suites = {
  access: [],
  account: ['engine'],
  administration: ['runtime'],
  administrators: ['engine'],
  audit: ['engine'],
  'card-form': [],
  configurations: [],
  counters: ['engine', 'runtime'],
  'device-search': ['engine', 'runtime'],
  devices: ['engine'],
  downloads: ['engine', 'runtime'],
  examples: [],
  'external-login': ['runtime'],
  'external-provider': ['runtime'],
  identity: ['engine', 'runtime'],
  input: ['runtime'],
  installers: ['engine', 'runtime'],
  keystore: ['runtime'],
  labels: ['engine'],
  limits: ['engine', 'runtime'],
  'package-choice': [],
  'page-uploads': ['engine', 'runtime'],
  pages: ['engine'],
  races: ['engine'],
  reach: ['engine'],
  refusals: ['engine'],
  replay: ['engine', 'runtime'],
  revisions: ['engine'],
  roles: [],
  secrets: ['engine', 'runtime'],
  'session-api': ['runtime'],
  'slow-peers': ['engine', 'runtime'],
  stamping: ['runtime'],
  sync: ['engine', 'runtime'],
  system: ['runtime'],
  tokens: ['engine', 'runtime'],
  'unusual-text': ['engine'],
  versions: [],
} as const satisfies Readonly<Record<string, readonly Dependency[]>>

export type SuiteName = keyof typeof suites

/** What no earlier leg has: only suites that depend on it run on the leg. */
const legs = {
  'Node with SQLite': undefined,
  'Deno with SQLite': ['engine', 'runtime'],
  'workerd with D1': ['engine', 'runtime'],
  'Node with PostgreSQL': ['engine'],
  'workerd with PostgreSQL': ['engine'],
} as const satisfies Readonly<Record<string, readonly Dependency[] | undefined>>

export type Leg = keyof typeof legs

/** Whether every suite runs on every leg, as `npm run test:all` sets it. */
const runsAll = (environment: NodeJS.ProcessEnv): boolean => environment['TEST_ALL'] === 'yes'

export function runsOn(leg: Leg, suite: SuiteName, environment = process.env): boolean {
  const needed: readonly Dependency[] | undefined = legs[leg]
  if (needed === undefined || runsAll(environment)) return true
  return suites[suite].some((dependency) => needed.includes(dependency))
}

/** What a run of the tests leaves out, in one sentence; undefined when it leaves out nothing. */
export function describeLeftOut(environment = process.env): string | undefined {
  if (runsAll(environment)) return undefined
  const names = Object.keys(suites) as SuiteName[]
  const counts = (Object.keys(legs) as Leg[]).flatMap((leg) => {
    const count = names.filter((name) => !runsOn(leg, name, environment)).length
    return count > 0 ? `${count} on ${leg}` : []
  })
  return `Left out, of ${names.length} suites of the service: ${counts.join(', ')}. Other legs run them; npm run test:all runs everything.`
}
