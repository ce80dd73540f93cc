/** Parses a stream of server-sent events (html.spec.whatwg.org), as far as the connector uses them. */

/** Characters of what came at once and of an event before its end: more than all events that the connector keeps. */
const maxLength = 4 * 1024 * 1024

/**
 * Takes the text in parts; returns the data of each event that is complete, and undefined for comments. Throws RangeError for
 * more than `maxLength`. Looks at each part once: of an event before its end it keeps the data, and the line that has not ended.
 */
export function createEventParser(): (part: string) => (string | undefined)[] {
  let line = ''
  let data: string[] = []
  let isEmpty = true
  /** Characters of the event that has no end yet. */
  let length = 0

  return (part) => {
    length += part.length
    if (length > maxLength) throw new RangeError('too long')
    const found: (string | undefined)[] = []
    const [first = '', ...others] = part.split('\n')
    line += first
    let left = part.length - first.length
    for (const next of others) {
      left -= 1
      const ended = line.endsWith('\r') ? line.slice(0, -1) : line
      if (ended.startsWith('data:')) data.push(ended.slice(ended.startsWith('data: ') ? 6 : 5))
      if (ended !== '') isEmpty = false
      else {
        const event = data.length === 0 ? undefined : data.join('\n')
        // One comment after the other says no more than the first: that the stream is still open.
        const isNew = event !== undefined || found.length === 0 || found.at(-1) !== undefined
        if (!isEmpty && isNew) found.push(event)
        data = []
        isEmpty = true
        length = left
      }
      left -= next.length
      line = next
    }
    return found
  }
}
