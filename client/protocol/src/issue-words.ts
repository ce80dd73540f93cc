/** What is wrong with a value, in words: the sentence of each issue that a schema finds. Used instead of those of the library. */
import type * as z from 'zod/mini'

/** For `z.config({ customError })`; the message of the schema itself comes first. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue)
    case 'invalid_value':
      return `expected ${listValues(issue.values)}`
    case 'too_big':
      return describeBound(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than')
    case 'too_small':
      return describeBound(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than')
    case 'invalid_format':
      return `expected ${describeFormat(issue)}`
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${joinQuoted(issue.keys)}`
    case 'invalid_key':
      return `a field name is not valid: ${issue.issues[0]?.message ?? 'expected another one'}`
    case 'invalid_union':
      return describeUnion(issue)
    default:
      return 'expected another value'
  }
}

type Raw<Code extends z.core.$ZodIssueCode> = Extract<z.core.$ZodRawIssue, { readonly code: Code }>

/** By the name that JSON Schema has for it. */
const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  never: 'no value',
}

function describeType({ expected, input }: Raw<'invalid_type'>): string {
  if (input === undefined) return 'missing'
  const wanted = `expected ${types[expected] ?? expected}`
  const isNumber = typeof input === 'number' && (expected === 'int' || expected === 'number')
  return isNumber ? wanted : `${wanted}, got ${describeKind(input)}`
}

function describeKind(input: unknown): string {
  if (input === null || typeof input === 'boolean') return String(input)
  if (Array.isArray(input)) return 'a list'
  return types[typeof input] ?? typeof input
}

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  object: ['field', 'fields'],
}

function describeBound(
  { origin, exact }: Pick<Raw<'too_big'>, 'origin' | 'exact'>,
  bound: number | bigint,
  compare: string,
): string {
  const unit = units[origin]
  if (!unit) return `expected a number of ${compare} ${bound}`
  const [one, many] = unit
  return `expected ${exact ? 'exactly' : compare} ${bound} ${Number(bound) === 1 ? one : many}`
}

const formats: Readonly<Record<string, string>> = {
  url: 'a URL such as https://example.com/',
  uuid: 'a UUID',
  datetime: 'a time such as 2026-01-31T09:30:00Z',
  date: 'a date such as 2026-01-31',
  email: 'an email address',
  base64: 'base64',
  base64url: 'base64url',
  jwt: 'a JWT',
}

const describeFormat = ({ format, pattern }: Raw<'invalid_format'>): string =>
  formats[format] ?? (pattern === undefined ? `a valid ${format}` : `text that matches ${pattern}`)

/** What each form of a union lacks, if it is the value as a whole. */
function describeUnion(issue: Raw<'invalid_union'>): string {
  if ('options' in issue && Array.isArray(issue.options) && issue.options.length > 0)
    return `expected ${listValues(issue.options)}`
  const faults = issue.errors.flatMap(([first]) => (first?.path.length === 0 ? first.message : []))
  return faults.length > 0 ? [...new Set(faults)].join(', or ') : 'expected another value'
}

const listValues = (values: readonly unknown[]): string =>
  values.length === 1 ? quote(values[0]) : `one of ${joinQuoted(values)}`

const joinQuoted = (values: readonly unknown[]): string => values.map(quote).join(', ')

const quote = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : String(value)
