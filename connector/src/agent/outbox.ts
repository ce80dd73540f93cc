/** Answers on their way to the registry: those that are ready go together, one load at a time. */
import type { Answer } from './protocol.ts'

/** Bytes of one load; the registry reads a megabyte. */
const largestLoad = 512 * 1024

/** `send` must not reject. */
export function openOutbox(
  send: (answers: readonly Answer[]) => Promise<void>,
): (answer: Answer) => void {
  const waiting: { readonly answer: Answer; readonly size: number }[] = []
  let sending = false
  return (answer) => {
    waiting.push({ answer, size: JSON.stringify(answer).length })
    if (!sending) void empty()
  }

  async function empty(): Promise<void> {
    sending = true
    while (waiting.length > 0) await send(nextLoad())
    sending = false
  }

  function nextLoad(): readonly Answer[] {
    let size = 0
    let count = 0
    for (const one of waiting) {
      size += one.size
      if (count > 0 && size > largestLoad) break
      count += 1
    }
    return waiting.splice(0, count).map(({ answer }) => answer)
  }
}
