/** Part of `npm run check`: each guard is where its data says, its row exists, and tests prove it. */
import process from 'node:process'
import { type Guard, removeGuard, type Unguarded } from './guard.ts'
import { guards, unguarded } from './guards.ts'
import { findTestsOf, type Sources } from './plan.ts'
import { readSource, readSources, readThreats } from './sources.ts'

interface Row {
  readonly id: string
}

/** What is wrong with the data. `read` gives the text of a file. */
export function checkGuards(
  all: readonly Guard[],
  without: Unguarded,
  rows: readonly Row[],
  sources: Sources,
  read: (file: string) => string,
): readonly string[] {
  const ids = new Set(rows.map(({ id }) => id))
  const unknown = [...all.map(({ rule }) => rule), ...Object.keys(without)].filter(
    (id) => !ids.has(id),
  )
  const both = Object.keys(without).filter((id) => all.some(({ rule }) => rule === id))
  return [
    ...unknown.map((id) => `"${id}" is no row of the threat model`),
    ...both.map((id) => `"${id}" has a guard, and a reason for having none`),
    ...all.flatMap((guard) => checkGuard(guard, sources, read)),
  ]
}

function checkGuard(
  guard: Guard,
  sources: Sources,
  read: (file: string) => string,
): readonly string[] {
  const found = findTestsOf(guard, sources).map(({ file }) => file)
  const missing = guard.tests?.filter((file) => !found.includes(file)) ?? []
  const faults = missing.map((file) => `${file} does not prove "${guard.rule}"`)
  if (found.length === 0) faults.push(`no test proves "${guard.rule}"`)
  try {
    if (removeGuard(read(guard.file), guard) === read(guard.file))
      faults.push(`the guard of "${guard.rule}" in "${guard.file}" stays as it is`)
  } catch (error) {
    faults.push(`"${guard.rule}": ${error instanceof Error ? error.message : String(error)}`)
  }
  return faults
}

/** The rows that have neither a guard here nor a reason. */
export const findUncovered = (rows: readonly Row[]): readonly string[] =>
  rows
    .map(({ id }) => id)
    .filter((id) => !(id in unguarded) && !guards.some(({ rule }) => rule === id))

if (import.meta.main) {
  const rows = readThreats()
  const faults = checkGuards(guards, unguarded, rows, readSources(), readSource)
  for (const fault of faults) console.error(`mutations: ${fault}`)
  const covered = new Set(guards.map(({ rule }) => rule)).size
  console.log(
    `mutations: ${guards.length} guards of ${covered} rows, ${Object.keys(unguarded).length} rows without one, ${findUncovered(rows).length} not covered yet, ${faults.length} faults`,
  )
  process.exitCode = faults.length === 0 ? 0 : 1
}
