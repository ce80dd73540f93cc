/** Parses a stream of server-sent events (html.spec.whatwg.org), as far as the connector uses them. */

/** Characters of one event: more than a list of all readers ever has. */
const maxEventLength = 1024 * 1024

/**
 * Takes the text in parts; returns the data of each event that is complete, and undefined for each comment. Throws RangeError for an
 * event that is too long. Takes time in proportion to the text: only a part that ends an event has what came before it read again.
 */
export function createEventParser(): (part: string) => (string | undefined)[] {
  let buffer = ''
  /** The last characters of `buffer`: a blank line may be cut. */
  let seam = ''
  return (part) => {
    seam += part
    buffer += part
    const blocks = /\n\r?\n/.test(seam) ? buffer.replaceAll('\r\n', '\n').split('\n\n') : [buffer]
    if (blocks.some(({ length }) => length > maxEventLength))
      throw new RangeError('the event is too long')
    buffer = blocks.pop() ?? ''
    seam = seam.slice(-2)
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
