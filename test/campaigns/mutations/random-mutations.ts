/** Mutations of chance: small changes of any code of the three programs, by its syntax tree. */
import { parseSync } from 'oxc-parser'

export interface Mutation {
  readonly file: string
  /** `negate`: a condition; `drop`: a guard or a call; `boundary`: < and <=, > and >=; `return`: at the start of a function. */
  readonly kind: 'negate' | 'drop' | 'boundary' | 'return'
  /** The characters that are replaced. */
  readonly start: number
  readonly end: number
  readonly replacement: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}
type Fields = Node & Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const boundaries: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const endings: ReadonlySet<string> = new Set([
  'ReturnStatement',
  'ThrowStatement',
  'ContinueStatement',
])
const functions: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

/** Every mutation of a source, in its order; none of a source that cannot be parsed. */
export function listMutations(file: string, source: string): readonly Mutation[] {
  const { program, errors } = parseSync(file, source)
  const found: Mutation[] = []
  const add = (kind: Mutation['kind'], { start, end }: Node, replacement: string) =>
    void found.push({ file, kind, start, end, replacement })
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each)
    } else if (isNode(value)) {
      // Types are gone when the code runs.
      if (value.type.startsWith('TSType') || value.type.startsWith('TSInterface')) return
      mutateNode(value, source, add)
      for (const each of Object.values(value)) visit(each)
    }
  }
  if (errors.length === 0) visit(program)
  return found
}

type Add = (kind: Mutation['kind'], node: Node, replacement: string) => void

function mutateNode(node: Fields, source: string, add: Add): void {
  const { type, test, consequent, alternate, expression, body } = node
  if ((type === 'IfStatement' || type === 'ConditionalExpression') && isNode(test))
    add('negate', test, `!(${source.slice(test.start, test.end)})`)
  if (type === 'IfStatement' && !alternate && isNode(consequent) && isEnding(consequent))
    add('drop', node, ';')
  if (type === 'ExpressionStatement' && isNode(expression) && isCall(expression))
    add('drop', node, ';')
  if (type === 'BinaryExpression') addBoundary(node, source, add)
  if (functions.has(type) && isNode(body) && hasSeveral(body))
    add('return', { ...body, end: body.start + 1 }, '{ return;')
}

/** Whether it leaves the function or the loop: then its condition is a guard. */
function isEnding({ type, body }: Fields): boolean {
  const statements = type === 'BlockStatement' ? (body as readonly Node[]) : []
  const last = type === 'BlockStatement' ? statements.at(-1)?.type : type
  return last !== undefined && endings.has(last)
}

const isCall = ({ type, argument }: Fields): boolean =>
  type === 'CallExpression' ||
  (type === 'AwaitExpression' && isNode(argument) && argument.type === 'CallExpression')

const hasSeveral = ({ type, body }: Fields): boolean =>
  type === 'BlockStatement' && Array.isArray(body) && body.length > 1

function addBoundary({ type, left, right, operator }: Fields, source: string, add: Add): void {
  const other = boundaries[String(operator)]
  if (other === undefined || !isNode(left) || !isNode(right)) return
  const between = source.slice(left.end, right.start)
  const start = left.end + between.indexOf(String(operator))
  add('boundary', { type, start, end: start + String(operator).length }, other)
}

export const applyMutation = (source: string, { start, end, replacement }: Mutation): string =>
  source.slice(0, start) + replacement + source.slice(end)

/** Where it is, and what stands there. */
export function describeMutation(source: string, { file, kind, start, end }: Mutation): string {
  const line = source.slice(0, start).split('\n').length
  const [text = ''] = source.slice(start, Math.max(end, start + 40)).split('\n')
  return `${file}:${line} ${kind}: ${text.trim().slice(0, 100)}`
}
