/** Parses one part of a request by its schema; what does not fit is a problem that names the fields. */
import * as z from 'zod/mini'
import { type FieldError, Problem } from './problem.ts'

// zod/mini has no messages of its own; the English ones are not too large for a server.
z.config(z.locales.en())

export type InputPart = 'path' | 'query' | 'header' | 'body'

export function parseInput(
  schema: z.ZodMiniType | undefined,
  value: unknown,
  part: InputPart,
): unknown {
  if (!schema) return {}
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const errors = result.error.issues.flatMap(toFieldErrors)
  const sentence = errors
    .map(({ path, message }) => (path ? `"${path}": ${message}` : message))
    .join('; ')
  throw new Problem('input-invalid', `Cannot accept the ${part}: ${sentence}`, { errors })
}

/** The fields that an issue is about. For an unknown field it names the field, not the object around it. */
function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== 'unrecognized_keys') {
    const missing = issue.message.endsWith('received undefined')
    return [{ path: toFieldPath(issue.path), message: missing ? 'Missing' : issue.message }]
  }
  return issue.keys.map((key) => ({
    path: toFieldPath([...issue.path, key]),
    message: 'Unknown field',
  }))
}

const toFieldPath = (path: readonly PropertyKey[]) =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text ? `${text}.${String(part)}` : String(part)
  }, '')
