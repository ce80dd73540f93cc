/** The file that stands for a card: while it holds an ATR, the card is in the virtual reader. */
import { readFileSync, statSync } from 'node:fs'

/** Not to be mistaken for the name of a real reader. */
export const virtualReaderName = 'Cardwire Virtual Reader'

/** Bytes; an answer to reset in hexadecimal has a hundred, with spaces. */
export const maxCardFileBytes = 1024

/** Answers to reset have 2 to 33 bytes (ISO/IEC 7816-3 §8.2.1). */
const atr = /^(?:[0-9A-F]{2}){2,33}$/

/** The ATR in a text, in upper-case hex without spaces; undefined: it is none. */
export function parseAtr(text: string): string | undefined {
  const found = text.replaceAll(/\s/g, '').toUpperCase()
  return atr.test(found) ? found : undefined
}

export interface InsertedCard {
  readonly atr: string
  /** Another one each time that the file is written. */
  readonly insertion: string
}

/** The card that is in the reader now; undefined: there is none. */
export function findInsertedCard(file: string): InsertedCard | undefined {
  const facts = statOwnFile(file, maxCardFileBytes)
  if (!facts) return undefined
  const found = parseAtr(readFileSync(file, 'utf8'))
  return found === undefined ? undefined : { atr: found, insertion: String(facts.mtimeNs) }
}

/** The text of a file of this user or the administrator; undefined: there is none of at most `maxBytes`. */
export const readOwnFile = (path: string, maxBytes: number): string | undefined =>
  statOwnFile(path, maxBytes) && readFileSync(path, 'utf8')

function statOwnFile(path: string, maxBytes: number) {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (!facts?.isFile() || facts.size > maxBytes) return undefined
  const uid = process.getuid?.()
  return uid === undefined || [uid, 0].includes(Number(facts.uid)) ? facts : undefined
}
