/** Parses a stream of server-sent events (html.spec.whatwg.org), as far as the connector uses them. */

/** Characters of one event: more than a list of all readers ever has. */
const maxEventLength = 1024 * 1024

/** Takes the text in parts; returns the data of each event that is complete, and undefined for each comment. */
export function createEventParser(): (part: string) => (string | undefined)[] {
  let buffer = ''
  return (part) => {
    const blocks = (buffer + part).replaceAll('\r\n', '\n').split('\n\n')
    buffer = blocks.pop() ?? ''
    if (buffer.length > maxEventLength) throw new RangeError('the event is too long')
    return blocks.map(readData)
  }
}

function readData(block: string): string | undefined {
  const lines = block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
  return lines.length === 0 ? undefined : lines.join('\n')
}
