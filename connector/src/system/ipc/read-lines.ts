/** Splits a stream of bytes into lines. */

/** Characters. No message is longer than this: 16 readers with the longest names are 20 kB. */
const maxLineLength = 1024 * 1024

/** The lines of a stream, without line ends; an incomplete last line is dropped. Throws when a line is too long. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true })
    rest += text
    // A line in many chunks is read once, and not again with each of them.
    const lines = text.includes('\n') ? rest.split('\n') : [rest]
    if (lines.some(({ length }) => length > maxLineLength))
      throw new Error('Cannot read a line: it is over 1 MB')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
