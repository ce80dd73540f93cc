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
  const result = safeParse(schema, value)
  if (result === undefined)
    throw createInvalid(part, [{ path: '', message: 'too many faults to list' }], 1)
  if (result.success) return result.data
  const { issues } = result.error
  const errors = issues.slice(0, problemBounds.faults).flatMap(toFieldErrors)
  const found = issues.reduce((sum, issue) => sum + countFaults(issue), 0)
  throw createInvalid(part, errors, found)
}

/**
 * Undefined when there are too many issues: zod hands those of a list on as the arguments of one call, of which engines take
 * some ten thousand. A list that is longer than its schema allows is one issue; lists in lists may still have as many.
 */
function safeParse(schema: z.ZodMiniType, value: unknown) {
  try {
    return z.safeParse(schema, value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
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
