/** Parses one part of a request by its schema; what does not fit is a problem that names the fields. */
import * as z from 'zod/mini'
import { describeIssue } from './issue-words.ts'
import { type FieldError, Problem, problemBounds } from './problem.ts'
import { countJsonBytes, shorten } from './shorten.ts'

z.config({ customError: describeIssue })

export type InputPart = 'path' | 'query' | 'header' | 'body'

export function parseInput(
  schema: z.ZodMiniType | undefined,
  value: unknown,
  part: InputPart,
): unknown {
  if (!schema) return {}
  const result = parse(schema, value)
  if (result.success) return result.data
  const { issues } = result
  const errors = issues.slice(0, problemBounds.faults).flatMap(toFieldErrors)
  const found = issues.reduce((sum, issue) => sum + countFaults(issue), 0)
  throw createInvalid(part, errors, found)
}

/** Values whose faults are all listed: a fault takes forty times as long as a value. In more, the first is enough. */
const maxListedValues = 1000

type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly issues: readonly z.core.$ZodIssue[] }

/** Ends at the first fault; what is small is then parsed once more, for all of its faults. */
function parse(schema: z.ZodMiniType, value: unknown): Parsed {
  const context = { async: false, abortEarly: true }
  const result = schema._zod.run({ value, issues: [] }, context)
  if (result instanceof Promise) throw new z.core.$ZodAsyncError()
  if (result.issues.length === 0) return { success: true, data: result.value }
  const all = isSmall(value) ? z.safeParse(schema, value).error?.issues : undefined
  return { success: false, issues: all ?? toIssues(result.issues, context) }
}

const toIssues = (found: readonly z.core.$ZodRawIssue[], context: z.core.ParseContextInternal) =>
  found
    .slice(0, problemBounds.faults)
    .map((issue) => z.core.util.finalizeIssue(issue, context, z.config()))

function isSmall(value: unknown): boolean {
  const open: unknown[] = [value]
  for (let count = 0; open.length > 0; count += 1) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const inside: readonly unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (count + open.length + inside.length > maxListedValues) return false
    open.push(...inside)
  }
  return true
}

/** `found`: how many faults there are, of which `errors` has the first. */
function createInvalid(part: InputPart, errors: readonly FieldError[], found: number): Problem {
  const sentences = takeSentences(errors.map(toSentence))
  const more = found - sentences.length
  const sentence = `${sentences.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
  return new Problem('input-invalid', `Cannot accept the ${part}: ${sentence}`, { errors })
}

const toSentence = ({ path, message }: FieldError) => (path ? `"${path}": ${message}` : message)

/** Bytes of the description beside the sentences about fields. */
const frameBytes = 100

/** The first that fit into the description; one at least, if not as a whole. */
function takeSentences([first = '', ...others]: readonly string[]): readonly string[] {
  const max = problemBounds.messageBytes - frameBytes
  const taken = [shorten(first, max)]
  let bytes = countJsonBytes(taken.join())
  for (const sentence of others.slice(0, problemBounds.faults - 1)) {
    const short = shorten(sentence, max)
    bytes += countJsonBytes(short) + 2
    if (bytes > max) break
    taken.push(short)
  }
  return taken
}

/** The fields that an issue is about. For an unknown field it names the field, not the object around it. */
function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: toFieldPath(issue.path), message: issue.message }]
  }
  return issue.keys.slice(0, problemBounds.faults).map((key) => ({
    path: toFieldPath([...issue.path, key]),
    message: 'unknown field',
  }))
}

const countFaults = (issue: z.core.$ZodIssue) =>
  issue.code === 'unrecognized_keys' ? issue.keys.length : 1

const toFieldPath = (path: readonly PropertyKey[]) =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text ? `${text}.${String(part)}` : String(part)
  }, '')
