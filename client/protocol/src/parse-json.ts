/** Parses the JSON of a body; one that nests too deep is refused before a parser or a schema follows it down. */
import { isTooDeep, maxJsonDepth } from './parse-flat-json.ts'
import { Problem } from './problem.ts'

/** Throws `body-malformed`. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new Problem(
      'body-malformed',
      `Cannot read the body: its arrays and objects nest deeper than ${maxJsonDepth}, send a flatter one`,
    )
  }
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text, which may hold a password.
    throw new Problem('body-malformed', 'Cannot read the body: it is not JSON')
  }
}
