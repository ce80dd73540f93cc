/** Checks that every test named in the tables of rules and threats exists: a row without its test is a promise nobody keeps. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const faults: string[] = []
const counts = ['docs/conformance.md', 'docs/threat-model.md'].map((document) => {
  const lines = readFileSync(root + document, 'utf8').split('\n')
  let rows = 0
  for (const [at, line] of lines.entries()) {
    const proofs = line
      .split('|')
      .map((cell) => cell.trim())
      .at(-2)
    if (!line.startsWith('|') || proofs === undefined || /^(-+|Test)$/.test(proofs)) continue
    rows += 1
    for (const proof of proofs.split('<br>')) check(proof.trim(), `${document}:${at + 1}`)
  }
  if (rows === 0) faults.push(`${document}: has no rows`)
  return `${document}: ${rows} rows`
})
for (const fault of faults) console.error(fault)
console.log(`${counts.join(', ')}, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1

/** A proof is `` `file` › name of the test ``. */
function check(proof: string, place: string): void {
  const [, file, name] = /^`([^`]+)` › (.+)$/.exec(proof) ?? []
  if (!file || !name) faults.push(`${place}: expected \`file\` › name of a test, got "${proof}"`)
  else if (!existsSync(root + file)) faults.push(`${place}: there is no "${file}"`)
  else if (!titles(readFileSync(root + file, 'utf8')).some((title) => title.includes(name))) {
    faults.push(`${place}: "${file}" has no test "${name}"`)
  }
}

/** The texts in quotes: among them are the names of tests, and the cases that complete them. */
function titles(source: string): string[] {
  return [...source.matchAll(/(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g)].map(([, , text = '']) => text)
}
