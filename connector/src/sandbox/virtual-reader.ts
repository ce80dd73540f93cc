/** A sandbox without a card service: one reader that exists in a file, for trying pages where there is no hardware. */
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { linesOf } from './lines.ts'
import { type FromSandbox, readLine, ToSandbox, writeLine } from './messages.ts'

/** Nobody takes it for a real one. */
export const virtualReaderName = 'Cardwire Virtual Reader'

/** Answers to reset have 2 to 33 bytes (ISO/IEC 7816-3 §8.2.1). */
const atr = /^(?:[0-9A-F]{2}){2,33}$/

const warning = (file: string) =>
  `The virtual reader has no card: "${file}" holds no ATR; expected 2 to 33 bytes in hexadecimal, such as 3B9813400AA503010101AD1311\n`

/**
 * Says what a sandbox says, on standard input and output, until its parent closes the input. The card in the reader is
 * what `file` holds: its ATR in hexadecimal. No file, an empty one or other text, of which standard error hears: no card.
 * The folder has to be there.
 */
export async function runVirtualReader(file: string): Promise<void> {
  const say = (message: FromSandbox) => void process.stdout.write(writeLine(message))
  let last: string | undefined
  let refused = ''
  let looks = 0
  const look = async () => {
    looks += 1
    const mine = looks
    const text = await readFile(file, 'utf8').catch(() => '')
    // Whoever looked later has seen more.
    if (mine < looks) return
    const found = text.replaceAll(/\s/g, '').toUpperCase()
    const card = atr.test(found) ? found : ''
    if (card === '' && found !== '' && found !== refused) process.stderr.write(warning(file))
    refused = card === '' ? found : ''
    if (card === last) return
    last = card
    const reader = { name: virtualReaderName, ...(card !== '' && { atr: card }) }
    say({ type: 'sight', sight: { kind: 'up', readers: [reader] } })
  }
  try {
    // The folder is watched: a file that is replaced is another file.
    watch(dirname(file), (_, name) => {
      if (name === null || name === basename(file)) void look()
    })
    await look()
  } catch (error) {
    const reason = `Cannot watch the folder of the virtual reader: ${error instanceof Error ? error.message : error}`
    say({ type: 'sight', sight: { kind: 'down', code: 'VIRTUAL_READER_MISSING', reason } })
  }
  try {
    for await (const line of linesOf(Bun.stdin.stream())) {
      const message = readLine(ToSandbox, line)
      if (message.type === 'ping') say({ type: 'pong', id: message.id })
      else say({ type: 'answer', answer: { id: message.question.id, features: [] } })
    }
  } finally {
    process.exit(0)
  }
}
