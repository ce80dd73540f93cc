/** Revisions of what administrators change: entity tags (RFC 9110 §8.8.3), and the precondition on them (§13.1.1). */
import * as z from 'zod/mini'

/** Counts the changes of a resource. */
export const Revision = z
  .int()
  .check(z.minimum(1), z.describe('1 when created, plus one with each change; also the ETag'))

/** In a body: of no effect, so that what was read can be sent back. The precondition is If-Match. */
export const IgnoredRevision = z
  .optional(z.int())
  .check(z.describe('No effect; use If-Match as the precondition'))

/** What the header If-Match accepts: `any` revision, or one of these. */
export type RevisionCondition = 'any' | readonly number[]

/** The largest that the databases store. */
const maxRevision = 2 ** 31 - 1

const entityTag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const entityTags = new RegExp(
  `^[ \\t]*(?:\\*|${entityTag}(?:[ \\t]*,[ \\t]*${entityTag})*)[ \\t]*$`,
)

/** Weak tags and those of something else never match (RFC 9110 §8.8.3.2). */
function toCondition(text: string): RevisionCondition {
  if (text.trim() === '*') return 'any'
  const revisions = text
    .split(',')
    .map((tag) => /^"([1-9]\d{0,9})"$/.exec(tag.trim())?.[1])
    .map(Number)
  return revisions.filter((revision) => revision <= maxRevision)
}

const IfMatch = z.pipe(
  z
    .string()
    .check(
      z.maxLength(1024),
      z.regex(entityTags, 'expected entity tags, such as "3"'),
      z.describe(
        'Make the change only if this is still the ETag; without it, always make the change',
      ),
    ),
  z.transform(toCondition),
)

/** The headers of an operation that changes something with a revision. */
export const revisionHeaders = z.object({ 'if-match': z.optional(IfMatch) })

/** The entity tag of a revision. */
export const toEntityTag = (revision: number): string => `"${revision}"`
