/** The tests that a run does not load: those that this machine cannot run, and those that only a whole run has. */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { getLeftOutFiles } from '../test/bed/legs.ts'
import programs from './programs.json' with { type: 'json' }

/** `npm test` prints them first; with CI=true it ends instead. */
export const skippedTests: readonly string[] = programs
  .filter(({ path, root }) => !existsSync(path) || (root === true && process.getuid?.() !== 0))
  .flatMap(({ tests }) => tests)

export const notLoaded: readonly string[] = [...skippedTests, ...getLeftOutFiles()]
