/** The tests that a source file declares: the title of each and the titles of the describe blocks around it. */

export interface Title {
  /** As it stands in the source; what an each-table or `${…}` fills in is a gap between two parts. */
  readonly parts: readonly string[]
}

export interface Declaration {
  /** The describe blocks around it in this file, from outside to inside. */
  readonly groups: readonly Title[]
  readonly title: Title
}

interface Literal {
  readonly end: number
  readonly title: Title
}

interface Source {
  /** Of the same length, with spaces for comments and for what is inside of literals. */
  readonly code: string
  /** The literals, by where they start. */
  readonly literals: ReadonlyMap<number, Literal>
}

/** Reads the calls of `test`, `it` and `describe`, with `.each`, `.runIf` and the like. */
export function findDeclarations(text: string): readonly Declaration[] {
  const source = readLiterals(text)
  const calls = [...source.code.matchAll(/(?<![.\w$])(test|it|describe)(?=[.(])/g)].flatMap(
    ({ 0: name, index }) => readCall(source, name, index + name.length) ?? [],
  )
  return calls.flatMap((call) => {
    if (call.name === 'describe') return []
    const around = calls.filter(
      ({ name, start, end }) => name === 'describe' && start < call.start && call.end <= end,
    )
    return [{ groups: around.map(({ title }) => title), title: call.title }]
  })
}

/** Whether a title can be this text. A gap takes any text. */
export function matchesTitle({ parts }: Title, text: string): boolean {
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`, 's').test(text)
}

/** Whether nothing is filled in. */
export const isLiteral = ({ parts }: Title): boolean => parts.length === 1

interface Call {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly title: Title
}

/** The call whose arguments begin after the name: `(…)`, `.each(…)(…)`, `.runIf(…).each(…)(…)`. */
function readCall({ code, literals }: Source, name: string, start: number): Call | undefined {
  let position = start
  let isEach = false
  let open: number | undefined
  for (;;) {
    const [member] = /^\s*\.\w+/.exec(code.slice(position)) ?? []
    const [gap] = /^\s*\(/.exec(code.slice(position)) ?? []
    if (member !== undefined) {
      isEach ||= member.trim() === '.each'
      position += member.length
      if (code[position] === '<') position = findClosing(code, position + 1, /<|(?<!=)>/g)
    } else if (gap !== undefined && (open === undefined || !/\n/.test(gap))) {
      open = position + gap.length
      position = findClosing(code, open, /[()]/g)
    } else break
  }
  if (open === undefined) return undefined
  const first = open + (/^\s*/.exec(code.slice(open))?.[0].length ?? 0)
  const literal = literals.get(first)
  // A title that is no literal is put together elsewhere, and can be anything.
  const isWhole = literal !== undefined && /^\s*[,)]/.test(code.slice(literal.end))
  const title = isWhole ? literal.title : { parts: ['', ''] }
  return { name, start, end: position, title: isEach ? addGaps(title) : title }
}

/** What vitest fills in from a table: `%s` and the like, `$name`, `$name.field`. */
function addGaps({ parts }: Title): Title {
  return { parts: parts.flatMap((part) => part.split(/%[sdifjoOc#$]|\$[A-Za-z_#][\w.]*/)) }
}

/** The position after the bracket that closes the one before `start`; `brackets` finds both kinds. */
function findClosing(code: string, start: number, brackets: RegExp): number {
  let depth = 1
  brackets.lastIndex = start
  for (let found = brackets.exec(code); found !== null; found = brackets.exec(code)) {
    depth += found[0] === '(' || found[0] === '<' ? 1 : -1
    if (depth === 0) return brackets.lastIndex
  }
  return code.length
}

function readLiterals(text: string): Source {
  const literals = new Map<number, Literal>()
  let code = ''
  let position = 0
  while (position < text.length) {
    const end = readToken(text, position, code)
    const quote = text[position]
    if (end === position + 1) code += text[position]
    else if (quote === "'" || quote === '"' || quote === '`') {
      literals.set(position, { end, title: { parts: readParts(text.slice(position, end)) } })
      code += quote + ' '.repeat(end - position - 2) + quote
    } else code += text.slice(position, end).replaceAll(/[^\n]/g, ' ')
    position = end
  }
  return { code, literals }
}

/** The end of the comment, string, template or regular expression that begins here, else of the one character. */
function readToken(text: string, start: number, before: string): number {
  const rest = text.slice(start, start + 2)
  if (rest === '//') return findEnd(text, '\n', start)
  if (rest === '/*') return findEnd(text, '*/', start + 2) + 2
  const [quote] = rest
  if (quote === "'" || quote === '"') return readString(text, start, quote)
  if (quote === '`') return readTemplate(text, start)
  // A slash after a value divides.
  if (quote === '/' && /(?:^|[(,=:[!&|?{};\n]|=>|return)\s*$/.test(before.slice(-20)))
    return readExpression(text, start)
  return start + 1
}

const findEnd = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found
}

function readString(text: string, start: number, quote: string): number {
  let position = start + 1
  while (position < text.length && text[position] !== quote)
    position += text[position] === '\\' ? 2 : 1
  return position + 1
}

function readTemplate(text: string, start: number): number {
  let position = start + 1
  while (position < text.length && text[position] !== '`') {
    if (text[position] === '\\') position += 2
    else if (text.startsWith('${', position)) position = readSubstitution(text, position)
    else position += 1
  }
  return position + 1
}

function readSubstitution(text: string, start: number): number {
  let depth = 1
  let position = start + 2
  while (depth > 0 && position < text.length) {
    if (text[position] === '{') depth += 1
    if (text[position] === '}') depth -= 1
    position = readToken(text, position, text.slice(start, position))
  }
  return position
}

function readExpression(text: string, start: number): number {
  let inClass = false
  let position = start + 1
  while (position < text.length && (inClass || text[position] !== '/')) {
    if (text[position] === '[') inClass = true
    if (text[position] === ']') inClass = false
    position += text[position] === '\\' ? 2 : 1
  }
  return position + 1
}

/** What a literal says, without its quotes; `${…}` of a template is a gap. */
function readParts(literal: string): readonly string[] {
  const inner = literal.slice(1, -1)
  if (!literal.startsWith('`')) return [unescapeText(inner)]
  const parts: string[] = []
  let from = 0
  for (let position = 0; position < inner.length; position += 1) {
    if (inner[position] === '\\') position += 1
    else if (inner.startsWith('${', position)) {
      parts.push(inner.slice(from, position))
      from = readSubstitution(inner, position)
      position = from - 1
    }
  }
  return [...parts, inner.slice(from)].map(unescapeText)
}

const unescapeText = (text: string): string =>
  text.replaceAll(/\\(u\{(\w+)\}|u(\w{4})|x(\w\w)|[\s\S])/g, (_, all, point, unit, byte) => {
    const hexadecimal = point ?? unit ?? byte
    if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal, 16))
    return { n: '\n', t: '\t', r: '\r', '0': '\0' }[all as string] ?? all
  })
