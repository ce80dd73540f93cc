/** Breaks texts into lines that every window shows whole: some neither break a line nor a long word, and grow beyond the screen. */

/** Columns of a line: the window of pinentry-gtk-2 has the least room. */
const columns = 52

/** Lines of a paragraph: the longest origin has eight, which are all shown. Of longer texts the middle is left out. */
const lines = { first: 7, last: 4 } as const

/** Begins the lines that continue a word, so that a line of a name is not taken for a name; windows break no line there, and keep them. */
const continuation = '\u00a0'.repeat(4)

/** Lines stay lines. `text` has only printable characters. */
export const wrapText = (text: string): string => text.split('\n').map(wrapParagraph).join('\n')

function wrapParagraph(paragraph: string): string {
  if (Bun.stringWidth(paragraph) <= columns) return paragraph
  const wrapped: string[] = []
  let line = ''
  for (const word of paragraph.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (Bun.stringWidth(longer) <= columns) {
      line = longer
      continue
    }
    if (line !== '') wrapped.push(line)
    const parts = breakWord(word)
    wrapped.push(...parts.slice(0, -1))
    line = parts.at(-1) ?? ''
  }
  return shorten([...wrapped, line]).join('\n')
}

/** After a dot, a hyphen or a slash near the end of a line, else anywhere between characters as users see them. */
function breakWord(word: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (Bun.stringWidth(part + segment) > columns) {
      const [, head = part, tail = ''] = /^(.{36,}[./-])(.*)$/su.exec(part) ?? []
      parts.push(head)
      part = continuation + tail
    }
    part += segment
  }
  return [...parts, part]
}

const shorten = (all: readonly string[]): readonly string[] =>
  all.length <= lines.first + lines.last
    ? all
    : [...all.slice(0, lines.first), '…', ...all.slice(-lines.last)]
