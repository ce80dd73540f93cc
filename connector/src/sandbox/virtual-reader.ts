/** A sandbox without a card service: one reader that exists in a file, for trying pages where there is no hardware. */
import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { readSmallFile } from '../small-file.ts'
import { errorText } from '../system/error-text.ts'
import { readLines } from '../system/ipc/read-lines.ts'
import { type FromSandbox, readLine, ToSandbox, writeLine } from '../system/ipc/sandbox-messages.ts'
import { maxCardFileBytes, parseAtr, virtualReaderName } from './virtual-card/card-file.ts'

const warning = (file: string) =>
  `The virtual reader has no card: "${file}" holds no ATR; expected 2 to 33 bytes in hexadecimal, such as 3B8F80018073CC91CBF9A0000003080000100029\n`

/**
 * When a changed file is read once more, in milliseconds: writing it is two changes, and of two within a millisecond
 * `watch` (Bun 1.4.5) often reports the first alone.
 */
const settleMs = 50

/** Files of this user, or of the administrator: nothing else is opened for long, nor read. */
const readCardFile = (path: string): Promise<string> => {
  const uid = process.getuid?.()
  return readSmallFile(path, maxCardFileBytes, uid === undefined ? undefined : [uid, 0])
}

/**
 * Exchanges the messages of a sandbox on standard input and output, until its parent closes the input. `file` holds the ATR
 * of the card in the reader, in hexadecimal. Without the file, or when it is empty, there is no card; other text is no card
 * either, and a warning on standard error. The folder of the file has to exist.
 */
export async function runVirtualReader(file: string): Promise<void> {
  const send = (message: FromSandbox) => void process.stdout.write(writeLine(message))
  let lastAtr: string | undefined
  let rejectedText = ''
  let reads = 0
  const readCard = async () => {
    reads += 1
    const thisRead = reads
    const text = await readCardFile(file).catch((error: NodeJS.ErrnoException) =>
      // Without a file there is no card; with one that may not be read, there is a warning.
      error.code === 'ENOENT' ? '' : errorText(error),
    )
    // A later read has the newer content.
    if (thisRead < reads) return
    const found = text.trim()
    const card = parseAtr(found) ?? ''
    if (card === '' && found !== '' && found !== rejectedText) process.stderr.write(warning(file))
    rejectedText = card === '' ? found : ''
    if (card === lastAtr) return
    lastAtr = card
    const reader = { name: virtualReaderName, ...(card !== '' && { atr: card }) }
    send({ type: 'state', state: { kind: 'up', readers: [reader] } })
  }
  let settling: ReturnType<typeof setTimeout> | undefined
  const readChangedCard = () => {
    void readCard()
    clearTimeout(settling)
    settling = setTimeout(() => void readCard(), settleMs)
  }
  try {
    // The folder is watched, as a watch of the file ends when the file is replaced.
    watch(dirname(file), (_, name) => {
      if (name === null || name === basename(file)) readChangedCard()
    })
    await readCard()
  } catch (error) {
    const reason = `Cannot watch the folder of the virtual reader: ${errorText(error)}`
    send({ type: 'state', state: { kind: 'down', code: 'VIRTUAL_READER_MISSING', reason } })
  }
  try {
    for await (const line of readLines(Bun.stdin.stream())) {
      const message = readLine(ToSandbox, line)
      if (message.type === 'ping') send({ type: 'pong', id: message.id })
      else send({ type: 'reply', reply: { id: message.query.id, features: [] } })
    }
  } finally {
    process.exit(0)
  }
}
