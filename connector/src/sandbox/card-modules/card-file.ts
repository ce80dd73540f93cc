/** Files of a card that are read by their path (ISO/IEC 7816-4 §7.2.3, §11.2). */
import { TlvError } from './ber-tlv.ts'
import type { CardSession } from './card-session.ts'

/** An offset has fifteen bits (§7.2.2). */
const maxFileBytes = 0x8000
/** What a card answers at most to one command of ours. */
const partBytes = 256

const status = { ok: 0x9000, beyondEnd: 0x6b00 } as const

/** Selects a folder or a file by its path from the master file; false: the card has none of this path. */
export function selectPath(session: CardSession, path: Uint8Array): boolean {
  // Without an answer that describes the file.
  const response = session.send({ ins: 0xa4, p1: 0x08, p2: 0x0c, data: path })
  return response.status === status.ok
}

/** The whole file; undefined: the card has none of this path, or does not give it. Throws TlvError when it has no end. */
export function readFile(session: CardSession, path: Uint8Array): Uint8Array | undefined {
  if (!selectPath(session, path)) return undefined
  const parts: Uint8Array[] = []
  for (let offset = 0; offset < maxFileBytes; offset += partBytes) {
    const [p1, p2] = [offset >> 8, offset & 0xff]
    const { data, status: answer } = session.send({ ins: 0xb0, p1, p2, hasResponse: true })
    if (answer !== status.ok && (offset === 0 || answer !== status.beyondEnd)) return undefined
    if (data.length > partBytes) throw new TlvError('a part of a file is longer than was asked for')
    parts.push(data)
    if (data.length < partBytes) return Buffer.concat(parts)
  }
  throw new TlvError('a file has no end')
}
