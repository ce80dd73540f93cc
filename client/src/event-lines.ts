/** The lines of a stream of events (html.spec.whatwg.org, server-sent events), as far as the connector uses them. */

/** Characters of an event that has not ended: more than all readers together ever fill. */
const longest = 1024 * 1024

/** Takes text in whatever parts it comes; gives the data of each event, undefined for a comment, a sign of life. */
export function eventReader(): (part: string) => (string | undefined)[] {
  let rest = ''
  return (part) => {
    const blocks = (rest + part).replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    if (rest.length > longest) throw new RangeError('the event has no end')
    return blocks.map(dataOf)
  }
}

function dataOf(block: string): string | undefined {
  const lines = block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
  return lines.length === 0 ? undefined : lines.join('\n')
}
