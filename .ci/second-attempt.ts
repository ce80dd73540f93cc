/** The second attempt in CI: files with a failed test run once more at the end, where nothing runs beside them. */

import type { Failure, RunReport } from './test-reporter.ts'

/** With more failed files than these the program is broken, not the machine busy. */
const maxFiles = 20

export interface FailedFile {
  readonly module: string
  readonly runtime: RunReport['runtime']
}

/** The files that deserve a second attempt: none if so many failed that the program must be broken. */
export function chooseFilesToRepeat(runs: readonly RunReport[]): readonly FailedFile[] {
  const files = runs.flatMap(({ failures, runtime }) =>
    [...new Set(failures.map(({ module }) => module))].map((module) => ({ module, runtime })),
  )
  // What failed outside of all files cannot be repeated.
  return files.length > maxFiles ? [] : files.filter(({ module }) => module !== '')
}

/**
 * Replaces the results of repeated files by those of their second attempt.
 * `unsteady`: what failed in the first attempt only.
 */
export function mergeAttempts(
  runs: readonly RunReport[],
  repeated: readonly RunReport[],
): { readonly runs: readonly RunReport[]; readonly unsteady: readonly Failure[] } {
  const modules = new Set(repeated.flatMap(({ files }) => files.map(({ module }) => module)))
  const failedAgain = new Set(
    repeated.flatMap(({ failures }) => failures.map(({ module, name }) => `${module} ${name}`)),
  )
  const isRepeated = ({ module }: { readonly module: string }) => modules.has(module)
  const first = runs.map((run) => ({
    ...run,
    failures: run.failures.filter((failure) => !isRepeated(failure)),
    tests: run.tests.filter((test) => !isRepeated(test)),
  }))
  const unsteady = runs
    .flatMap(({ failures }) => failures)
    .filter(
      (failure) => isRepeated(failure) && !failedAgain.has(`${failure.module} ${failure.name}`),
    )
  return { runs: [...first, ...repeated], unsteady }
}
