/**
 * The proofs that the documents name, and their check against the sources and against a run.
 *
 * A proof is `` `file` › title ``, the whole title of a test as it ran; where several tests of the file are called so,
 * `` `file` › describe block › title ``. Or it is `` decision `docs/decisions/….md` ``.
 */
import { matchesGlob } from 'node:path'
import { type Declaration, findDeclarations, isLiteral, matchesTitle } from './test-titles.ts'

export interface Proof {
  /** The document and line. */
  readonly place: string
  readonly file: string
  /** The title, after those of describe blocks that stand right around it; none for a decision. */
  readonly path: readonly string[]
}

export interface Table {
  readonly rows: number
  readonly proofs: readonly Proof[]
  readonly faults: readonly string[]
}

export interface RanTest {
  readonly module: string
  /** The titles of the describe blocks around it, and its own. */
  readonly path: readonly string[]
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
}

/** Reads the last cell of each row of a document's tables. */
export function readProofs(document: string, text: string): Table {
  const cells = text.split('\n').flatMap((line, index) => {
    const cell = line.split('|').at(-2)?.trim()
    if (!line.startsWith('|') || cell === undefined || /^(-+|Test)$/.test(cell)) return []
    return [{ place: `${document}:${index + 1}`, cell }]
  })
  const read = cells.flatMap(({ place, cell }) =>
    cell.split('<br>').map((part) => readProof(part.trim(), place)),
  )
  return {
    rows: cells.length,
    proofs: read.filter((each) => typeof each !== 'string'),
    faults: [
      ...(cells.length === 0 ? [`${document}: has no rows`] : []),
      ...read.filter((each) => typeof each === 'string'),
    ],
  }
}

function readProof(text: string, place: string): Proof | string {
  const [, decision] = /^decision `(docs\/decisions\/\d{4}-[\w-]+\.md)`$/.exec(text) ?? []
  if (decision) return { place, file: decision, path: [] }
  const [, file, titles] = /^`([^`]+)` › (.+)$/.exec(text) ?? []
  if (file && titles) return { place, file, path: titles.split(' › ') }
  return `${place}: expected \`file\` › title of a test, or a decision, got "${text}"`
}

/** What is wrong with a proof by the source of its file, which is undefined where there is no such file. */
export function checkForm(proof: Proof, source: string | undefined): string | undefined {
  if (source === undefined) return `${proof.place}: there is no "${proof.file}"`
  if (isDecision(proof)) return undefined
  const candidates = findCandidates(proof, source)
  if (candidates.length === 0) return `${proof.place}: "${proof.file}" has no test ${quote(proof)}`
  if (candidates.length > 1 && candidates.every(({ title }) => isLiteral(title)))
    return `${proof.place}: "${proof.file}" has ${candidates.length} tests ${quote(proof)}: name the describe block too`
  return undefined
}

/**
 * What is wrong with a proof by what ran. `modules` are the test files that run the proof's file: itself, or those that
 * import a suite.
 */
export function checkRun(
  proof: Proof,
  source: string,
  modules: readonly string[],
  tests: readonly RanTest[],
  leftOut: readonly string[],
): string | undefined {
  if (isDecision(proof)) return undefined
  const ran = modules.filter((module) => !leftOut.some((pattern) => matchesGlob(module, pattern)))
  if (modules.length > 0 && ran.length === 0) return undefined
  const named = tests.filter(
    ({ module, path }) => ran.includes(module) && endsWith(path, proof.path),
  )
  const name = `${proof.place}: "${proof.file}" › ${quote(proof)}`
  if (named.length === 0) return `${name} did not run`
  const bad = named.find(({ state }) => state !== 'passed')
  if (bad) return `${name} ${bad.state} in ${bad.module}`
  const paths = new Set(named.map(({ module, path }) => `${module} › ${path.join(' › ')}`))
  // One declaration may run several times, in a describe.each or a suite that is used twice.
  if (paths.size > ran.length && findCandidates(proof, source).length > 1)
    return `${name} is the name of several tests: name the describe block too`
  return undefined
}

/** The declarations that a proof can mean: those that are called so, else those of which a table can make the title. */
function findCandidates({ path }: Proof, source: string): readonly Declaration[] {
  const found = findDeclarations(source).filter(({ groups, title }) => {
    const titles = [...groups, title].reverse()
    return [...path].reverse().every((text, at) => {
      const own = titles[at]
      // A describe block can stand around the call of a suite, in another file.
      return own === undefined || matchesTitle(own, text)
    })
  })
  const literal = found.filter(({ title }) => isLiteral(title))
  return literal.length > 0 ? literal : found
}

const isDecision = ({ path }: Proof): boolean => path.length === 0

const endsWith = (path: readonly string[], end: readonly string[]): boolean =>
  end.every((title, at) => path[path.length - end.length + at] === title)

const quote = ({ path }: Proof): string => `"${path.join(' › ')}"`
