/** Checks the rules of the documents: each has a test that names it, each test names rules that exist, and these tests pass. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { readImports } from './layers.ts'
import {
  checkRules,
  checkRun,
  findProvedRules,
  findTestModules,
  type RanTest,
  readRules,
  renderProofs,
} from './rules.ts'
import { skippedTests } from './skipped-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const rules = ['docs/conformance.md', 'docs/threat-model.md'].flatMap((document) =>
  readRules(document, read(document)),
)
const imports = readImports(root)
const proofs = new Map(
  [...imports]
    .filter(([, targets]) => targets.includes('test/bed/proves.ts'))
    .map(([file]): [string, readonly string[]] => [file, findProvedRules(read(file))])
    .filter(([, ids]) => ids.length > 0),
)

/**
 * The rules that a run has not proven, except by tests that this machine cannot run. `leftOut`: test files that only a
 * whole run has. Writes what proved each rule to `node_modules/.cache/rules.md`.
 */
export function checkProofs(
  tests: readonly RanTest[],
  leftOut: readonly string[],
): readonly string[] {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  writeFileSync(join(root, 'node_modules/.cache/rules.md'), renderProofs(rules, tests))
  return checkRun(proofs, findModules, tests, { skipped: skippedTests, leftOut })
}

const findModules = (file: string) => findTestModules(imports, file)

if (import.meta.main) {
  const decisions = readdirSync(join(root, 'docs/decisions')).map((name) =>
    Number.parseInt(name, 10),
  )
  const faults = checkRules(rules, proofs, new Set(decisions))
  for (const fault of faults) console.error(fault)
  console.log(`rules: ${rules.length}, ${proofs.size} files prove them, ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
