/** Writes log lines together: those of one turn of the event loop in one call. */

/** `write` gets whole lines. `flush` writes what is left, before the process ends. */
export function lineWriter(write: (text: string) => void): {
  write(line: string): void
  flush(): void
} {
  let waiting = ''
  const flush = () => {
    const text = waiting
    waiting = ''
    if (text !== '') write(text)
  }
  return {
    write(line) {
      if (waiting === '') setImmediate(flush)
      waiting += line
    },
    flush,
  }
}
