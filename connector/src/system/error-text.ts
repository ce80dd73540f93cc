/** The text of an error for messages and logs, of a limited length. */

/** Characters; names and texts of other machines are part of messages. */
const maxLength = 2000

/** The message of something that was thrown; a longer one is cut. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, maxLength)
