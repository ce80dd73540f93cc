/** Which guards are tried first where processor time is limited, and how much of it was used. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { needsConnector, type TestRun } from './plan.ts'

/** A unit test before a test that starts programs, and that before a suite, whose file has all suites of the service. */
function rankRuns(runs: readonly TestRun[]): number {
  const files = runs.flatMap((run) => run.files)
  if (files.every((file) => /(?:^|\/)src\//.test(file))) return 0
  return files.some((file) => file.endsWith('service-node.test.ts')) ? 2 : 1
}

interface Plan {
  readonly runs: readonly TestRun[]
}

/** The plans that need no build of the connector, the cheapest first; and the others. */
export function orderByCost<P extends Plan>(
  plans: readonly P[],
): { readonly tried: readonly P[]; readonly leftOut: readonly P[] } {
  const rank = ({ runs }: P) => rankRuns(runs)
  return {
    tried: plans
      .filter(({ runs }) => !needsConnector(runs))
      .toSorted((one, other) => rank(one) - rank(other)),
    leftOut: plans.filter(({ runs }) => needsConnector(runs)),
  }
}

/** The seconds that processors worked for the programs that this one has started and that have ended (proc_pid_stat(5)). */
export function readSecondsOfChildren(): number {
  // Elsewhere they are not known: the time that has passed is at most twice as much with two processors.
  if (process.platform !== 'linux') return performance.now() / 1000
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(13, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}
