/** The tests that prove a rule: their files, and their titles as a pattern of the test runner. */

export interface CitedTests {
  /** The source that names the rule: a test file, or a suite that test files import. */
  readonly file: string
  /** Matches the titles of the tests that prove it; undefined when one of them cannot be read. */
  readonly pattern: string | undefined
}

/** A title, the parameters of the test's function, and the rules in the first statement of its body. */
const provingTest =
  /(['"`])((?:\\.|(?!\1)[^\\])*)\1,\s*(?:async\s*)?(?:\w+|\((?:[^()]|\([^()]*\))*\))\s*=>\s*\{\s*proves\(([^)]*)\)/g

/** Of a source: undefined when it does not prove the rule. */
export function findCitedTests(file: string, source: string, rule: string): CitedTests | undefined {
  const names = (list: string) => list.includes(`'${rule}'`)
  const calls = [...source.matchAll(/\bproves\(([^)]*)\)/g)].filter(([, list = '']) => names(list))
  if (calls.length === 0) return undefined
  const titles = [...source.matchAll(provingTest)].flatMap(([, , title = '', list = '']) =>
    names(list) ? [title] : [],
  )
  const isWhole = titles.length === calls.length
  return { file, pattern: isWhole ? titles.map(toPattern).join('|') : undefined }
}

/** What a title becomes for each row of a table is unknown: placeholders match anything, also several lines. */
export const toPattern = (title: string): string =>
  title
    .replaceAll(/\\(.)/g, '$1')
    .split(/\$\{[^}]*\}|\$[\w.]+|%[sdifjoO#%]/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('[^]*')
