/** Parses a stream of server-sent events (html.spec.whatwg.org), as far as the connector uses them. */

/** Characters of what came at once and of an event before its end: more than all events that the connector keeps. */
const maxLength = 4 * 1024 * 1024

/**
 * Takes the text in parts; returns the data of each event that is complete, and undefined for each comment. Throws RangeError for
 * more than `maxLength`. A part without a line end is only added to what came before; events have few lines.
 */
export function createEventParser(): (part: string) => (string | undefined)[] {
  let buffer = ''
  return (part) => {
    buffer += part
    if (buffer.length > maxLength) throw new RangeError('too long')
    if (!part.includes('\n')) return []
    const blocks = buffer.replaceAll('\r\n', '\n').split('\n\n')
    buffer = blocks.pop() ?? ''
    return blocks.map(readData)
  }
}

function readData(block: string): string | undefined {
  const lines = block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.replace(/^data: ?/, ''))
  return lines.length === 0 ? undefined : lines.join('\n')
}
