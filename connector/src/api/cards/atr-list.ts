/** The list of known cards: describes a card by its answer to reset, ATR (format: smartcard_list.txt of pcsc-tools). */

export interface AtrList {
  /** The number of entries, patterns included. */
  readonly size: number
  /** The number of lines that were ignored because they are malformed. */
  readonly skipped: number
  /** Descriptions of cards with this ATR (hex, spaces allowed): exact entries first, then patterns. Empty when unknown. */
  describe(atr: string): readonly string[]
  /** All entries, ATRs before patterns, upper-case without spaces. */
  entries(): readonly AtrEntry[]
}

export interface AtrEntry {
  /** An ATR in hex, or a pattern: a regular expression for the whole ATR. */
  readonly atr: string
  readonly descriptions: readonly string[]
}

interface Pattern {
  readonly source: string
  readonly descriptions: string[]
}

// An entry is an ATR as a regular expression. Only digits, `.`, sets and `.*` are accepted, which is all the list needs:
// no file can contain an expression that fails to compile or runs for long.
const digit = String.raw`[0-9A-F]|\.|\[[0-9A-F,-]{1,40}\]`
const wellFormed = new RegExp(String.raw`^(?:${digit})+(?:\.\*(?:${digit})*){0,2}$`)
const token = new RegExp(String.raw`\.\*|${digit}`, 'g')

// ISO 7816-3 §8.2.1, in bytes. In a line, a set takes several characters for half a byte.
const maxAtrBytes = 33
const maxEntryLength = 1000

/** Parses the text of a list. Never throws: malformed lines are ignored and counted. */
export function parseAtrList(text: string): AtrList {
  const exact = new Map<string, string[]>()
  const patterns = new Map<string, Pattern>()
  let skipped = 0
  /** The entry that the following descriptions belong to; none after an ignored line. */
  let entry: string[] | 'ignored' | undefined

  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    if (line.trim() === '') entry = undefined
    else if (line.startsWith('\t')) {
      if (Array.isArray(entry)) entry.push(cleanDescription(line))
      else if (entry === undefined) skipped += 1
    } else {
      entry = addEntry(line, exact, patterns) ?? 'ignored'
      if (entry === 'ignored') skipped += 1
    }
  }

  const byLength = Map.groupBy(patterns.values(), ({ source }) => countDigits(source))
  return {
    size: exact.size + patterns.size,
    skipped,
    describe: (atr) => {
      const hex = atr.replaceAll(/\s/g, '').toUpperCase()
      const candidates = [...(byLength.get(hex.length) ?? []), ...(byLength.get('any') ?? [])]
      const matching = candidates.filter(({ source }) => compile(source).test(hex))
      const all = [exact.get(hex) ?? [], ...matching.map(({ descriptions }) => descriptions)]
      return [...new Set(all.flat())]
    },
    entries: () => [
      ...[...exact].map(([atr, descriptions]) => ({ atr, descriptions })),
      ...[...patterns.values()].map(({ source, descriptions }) => ({ atr: source, descriptions })),
    ],
  }
}

function addEntry(
  line: string,
  exact: Map<string, string[]>,
  patterns: Map<string, Pattern>,
): string[] | undefined {
  if (line.length > maxEntryLength) return undefined
  const source = line.replaceAll(/\s/g, '').toUpperCase()
  if (/^([0-9A-F]{2})+$/.test(source) && source.length <= 2 * maxAtrBytes) {
    const descriptions = exact.get(source) ?? []
    exact.set(source, descriptions)
    return descriptions
  }
  const digits = countDigits(source)
  const possible = digits === 'any' || (digits % 2 === 0 && digits <= 2 * maxAtrBytes)
  if (!wellFormed.test(source) || !possible || !isCompilable(source)) return undefined
  const pattern = patterns.get(source) ?? { source, descriptions: [] }
  patterns.set(source, pattern)
  return pattern.descriptions
}

/** The number of hex digits that a pattern matches; `any` when it contains a repetition. */
function countDigits(source: string): number | 'any' {
  const tokens: readonly string[] = source.match(token) ?? []
  return tokens.includes('.*') ? 'any' : tokens.length
}

/** A set such as [F-A] is well formed, but not a valid expression. */
function isCompilable(source: string): boolean {
  if (!source.includes('-')) return true
  try {
    return compile(source) instanceof RegExp
  } catch {
    return false
  }
}

const expressions = new Map<string, RegExp>()

/** Compiled on first use: most patterns are never used. */
function compile(source: string): RegExp {
  const known = expressions.get(source)
  if (known) return known
  const expression = new RegExp(`^${source}$`)
  expressions.set(source, expression)
  return expression
}

const cleanDescription = (line: string) => line.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
