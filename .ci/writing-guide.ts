/** The words of docs/writing.md: which to use, which not, and where one of those is right all the same. */

export interface Text {
  /** The file and line. */
  readonly place: string
  readonly text: string
}

export interface Guide {
  /** By a word that is not to be used: what to say. In lower case. */
  readonly words: ReadonlyMap<string, string>
  readonly exceptions: readonly {
    /** The file, or the start of its path. */
    readonly where: string
    readonly word: string
  }[]
}

/** Whether a text has two words or more: a single one may be a name that only programs read. */
export const isSentence = ({ text }: Text): boolean => /\p{L}\s+\p{L}/u.test(text)

/** Reads the tables below "Words" and "Exceptions". */
export function readGuide(document: string): Guide {
  const [, words = '', exceptions = ''] = document.split(/^## (?:Words|Exceptions)$/m)
  return {
    words: new Map(
      readRows(words).flatMap(([say = '', not = '']) =>
        splitWords(not).map((word) => [word, say] as const),
      ),
    ),
    exceptions: readRows(exceptions).flatMap(([where = '', not = '']) =>
      splitWords(not).map((word) => ({ where: where.replaceAll('`', ''), word })),
    ),
  }
}

/** The cells of each row of a table, without its head. */
const readRows = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

const splitWords = (cell: string): readonly string[] =>
  cell
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean)

/** What is wrong whatever the words are. */
const clumsy = [
  { pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b)/i, say: 'is not a' },
  { pattern: /\btrusts? the root\b(?! certificate)/i, say: 'trust the root certificate' },
]

/** The faults of the texts, and the exceptions that no text needs. */
export function findFaults(
  { words, exceptions }: Guide,
  texts: readonly Text[],
): readonly string[] {
  const used = new Set<Guide['exceptions'][number]>()
  const patterns = [...words].map(([word, say]) => ({
    ...{ word, say },
    pattern: new RegExp(`(?<![\\w-])${word.replaceAll(' ', '\\s+')}(?![\\w-])`, 'i'),
  }))
  const faults = texts.flatMap(({ place, text }) =>
    patterns.flatMap(({ word, say, pattern }) => {
      if (!pattern.test(text)) return []
      const exception = exceptions.find(
        (each) => each.word === word && place.startsWith(each.where),
      )
      if (exception) used.add(exception)
      return exception ? [] : [`${place}: "${word}", say: ${say}`]
    }),
  )
  const phrases = texts.flatMap(({ place, text }) =>
    clumsy.flatMap(({ pattern, say }) => {
      const [found] = pattern.exec(text) ?? []
      return found === undefined ? [] : [`${place}: "${found.trim()}", say: ${say}`]
    }),
  )
  const unused = exceptions.filter((exception) => !used.has(exception))
  return [
    ...faults,
    ...phrases,
    ...unused.map(({ where, word }) => `docs/writing.md: nothing needs "${word}" in ${where}`),
  ]
}
