/** Cuts a stream of bytes into lines. */

/** A line longer than this is nobody's message: 16 readers with their longest names are 20 kB. */
const longestLine = 1024 * 1024

/** The lines of a stream, without their ends; what stands behind the last one is dropped. Throws on an endless line. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > longestLine) throw new Error('Cannot read a line: it is over 1 MB')
  }
}
