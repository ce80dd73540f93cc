/** The limit that a change takes, so that it reaches no more than its caller was shown. */
import * as z from 'zod/mini'

/** For the query of a change. */
export const maxReach = {
  maxReach: z
    .optional(
      z.pipe(
        z.string().check(z.regex(/^\d{1,9}$/, 'expected a whole number')),
        z.transform((text: string) => Number(text)),
      ),
    )
    .check(
      z.describe(
        'Reject the change if it now affects more than this number: the `reach` that you read',
      ),
    ),
}
