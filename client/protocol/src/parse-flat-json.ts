/** Parses JSON whose arrays and objects nest no deeper than any of the contract: recursion would end what follows it down. */

/** How deep arrays and objects of a body may nest. The deepest body of the contract has 7. */
export const maxJsonDepth = 32

/** Throws where the text nests deeper, or is not JSON. */
export function parseFlatJson(text: string): unknown {
  if (isTooDeep(text)) throw new RangeError('too deep')
  return JSON.parse(text)
}

/** Counts brackets outside strings; whether they match is the parser's business. */
export function isTooDeep(text: string): boolean {
  // Most bodies are long lists of texts: to look for brackets takes a hundredth of the time of reading each character.
  if (!hasMoreBrackets(text, maxJsonDepth)) return false
  let depth = 0
  let isString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isString = !isString
    // What a backslash escapes is no end of the string.
    else if (isString) at += character === '\\' ? 1 : 0
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > maxJsonDepth) return true
  }
  return false
}

/** Whether the text has more than so many opening brackets, in strings or not. */
function hasMoreBrackets(text: string, max: number): boolean {
  let count = 0
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > max) return true
    }
  }
  return false
}
