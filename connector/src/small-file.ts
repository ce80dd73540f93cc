/** Reads small files of other accounts: one that is something else is not waited for, and one that is large is not read. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/**
 * The text of a regular file of `maxBytes` at most. `owners`: user ids whose files are read, every account's by default.
 * `writers`: `owner` refuses a file that its group or other accounts can write, by its mode. Throws the error of the system,
 * or one that says what the file is.
 */
export async function readSmallFile(
  path: string,
  maxBytes: number,
  owners?: readonly number[],
  writers: 'owner' | 'anyone' = 'anyone',
): Promise<string> {
  // A FIFO would wait for somebody who writes.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw new Error('it is not a regular file')
    if (owners && !owners.includes(facts.uid)) throw new Error('it belongs to another account')
    if (writers === 'owner' && (facts.mode & 0o022) !== 0) {
      throw new Error('its group or other accounts can write it; take that away with "chmod go-w"')
    }
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0)
    if (bytesRead > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Bytes; a certificate in PEM has some thousand, a chain some more. */
export const maxCertificateFileBytes = 256 * 1024
