/** Checks the tables of rules and threats: each row names a test or a decision, by its whole name, and that test passed. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkForm, checkRun, type Proof, type RanTest, readProofs } from './document-proofs.ts'
import { type Imports, readImports } from './layers.ts'
import { skippedTests } from './skipped-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const tables = ['docs/conformance.md', 'docs/threat-model.md'].map((document) => ({
  document,
  ...readProofs(document, readFileSync(root + document, 'utf8')),
}))

/** What is wrong with the documents before anything has run. */
function checkDocuments(): readonly string[] {
  return tables.flatMap(({ faults, proofs }) => [
    ...faults,
    ...proofs.flatMap((proof) => checkForm(proof, readSource(proof)) ?? []),
  ])
}

/** The proofs that did not pass in a run of all tests. */
export function checkProofs(tests: readonly RanTest[]): readonly string[] {
  const graph = readImports(root)
  const isTest = (file: string) => file.endsWith('.test.ts')
  const findModules = (file: string): readonly string[] =>
    isTest(file)
      ? [file]
      : [...graph.keys()].filter((each) => isTest(each) && reaches(graph, each, file))
  return tables.flatMap(({ proofs }) =>
    proofs.flatMap((proof) => {
      const source = readSource(proof)
      if (source === undefined) return []
      return checkRun(proof, source, findModules(proof.file), tests, skippedTests) ?? []
    }),
  )
}

function readSource({ file }: Proof): string | undefined {
  return existsSync(root + file) ? readFileSync(root + file, 'utf8') : undefined
}

/** Whether a file imports another, or a file that does. */
function reaches(graph: Imports, from: string, to: string, seen: Set<string> = new Set()): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return (graph.get(from) ?? []).some((target) => reaches(graph, target, to, seen))
}

if (import.meta.main) {
  const faults = checkDocuments()
  for (const fault of faults) console.error(fault)
  const counts = tables.map(({ document, rows }) => `${document}: ${rows} rows`)
  console.log(`${counts.join(', ')}, ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
