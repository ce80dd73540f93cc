/** The list of known cards: from an answer to reset to what the card is (format of pcsc-tools' smartcard_list.txt). */

export interface AtrList {
  /** How many kinds of cards it knows, patterns counted as one each. */
  readonly size: number
  /** How many lines were passed over because nobody can make sense of them. */
  readonly skipped: number
  /** What cards with this ATR (hex, spaces or none) are: exact entries first, then patterns. Empty when unknown. */
  describe(atr: string): readonly string[]
}

interface Pattern {
  readonly source: string
  readonly descriptions: string[]
}

// An entry is an ATR in regular-expression form. Of that language the list needs digits, `.`, sets and `.*`, and takes
// no more: whatever else a file holds can neither fail to compile nor run for long.
const digit = String.raw`[0-9A-F]|\.|\[[0-9A-F,-]{1,40}\]`
const wellFormed = new RegExp(String.raw`^(?:${digit})+(?:\.\*(?:${digit})*){0,2}$`)
const token = new RegExp(String.raw`\.\*|${digit}`, 'g')

// ISO 7816-3 §8.2.1, in bytes. A set takes more than one character of a line for half a byte.
const longestAtr = 33
const longestEntry = 1000

/** Reads the text of a list. Never throws: a line that makes no sense is passed over and counted. */
export function parseAtrList(text: string): AtrList {
  const exact = new Map<string, string[]>()
  const patterns = new Map<string, Pattern>()
  let skipped = 0
  /** What the descriptions that follow belong to; none behind a line that was passed over. */
  let entry: string[] | 'passed-over' | undefined

  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    if (line.trim() === '') entry = undefined
    else if (line.startsWith('\t')) {
      if (Array.isArray(entry)) entry.push(clean(line))
      else if (entry === undefined) skipped += 1
    } else {
      entry = entryOf(line, exact, patterns) ?? 'passed-over'
      if (entry === 'passed-over') skipped += 1
    }
  }

  const byLength = Map.groupBy(patterns.values(), ({ source }) => digitsOf(source))
  return {
    size: exact.size + patterns.size,
    skipped,
    describe: (atr) => {
      const hex = atr.replaceAll(/\s/g, '').toUpperCase()
      const candidates = [...(byLength.get(hex.length) ?? []), ...(byLength.get('any') ?? [])]
      const matching = candidates.filter(({ source }) => compiled(source).test(hex))
      const all = [exact.get(hex) ?? [], ...matching.map(({ descriptions }) => descriptions)]
      return [...new Set(all.flat())]
    },
  }
}

function entryOf(
  line: string,
  exact: Map<string, string[]>,
  patterns: Map<string, Pattern>,
): string[] | undefined {
  if (line.length > longestEntry) return undefined
  const source = line.replaceAll(/\s/g, '').toUpperCase()
  if (/^([0-9A-F]{2})+$/.test(source) && source.length <= 2 * longestAtr) {
    const descriptions = exact.get(source) ?? []
    exact.set(source, descriptions)
    return descriptions
  }
  const digits = digitsOf(source)
  const possible = digits === 'any' || (digits % 2 === 0 && digits <= 2 * longestAtr)
  if (!wellFormed.test(source) || !possible || !compiles(source)) return undefined
  const pattern = patterns.get(source) ?? { source, descriptions: [] }
  patterns.set(source, pattern)
  return pattern.descriptions
}

/** How many hex digits a pattern stands for; `any` where it repeats something. */
function digitsOf(source: string): number | 'any' {
  const tokens: readonly string[] = source.match(token) ?? []
  return tokens.includes('.*') ? 'any' : tokens.length
}

/** A set such as [F-A] is well formed, and yet no expression. */
function compiles(source: string): boolean {
  if (!source.includes('-')) return true
  try {
    return compiled(source) instanceof RegExp
  } catch {
    return false
  }
}

const expressions = new Map<string, RegExp>()

/** Made when it is first needed: most patterns never are. */
function compiled(source: string): RegExp {
  const known = expressions.get(source)
  if (known) return known
  const made = new RegExp(`^${source}$`)
  expressions.set(source, made)
  return made
}

const clean = (line: string) => line.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
