/** Files of a card that are read by their path (ISO/IEC 7816-4 §7.2.3, §11.2), and the certificates in them. */
import { TlvError, takeElement } from './ber-tlv.ts'
import type { CardResponse, CardSession } from './card-session.ts'
import { isPresent } from './card-status.ts'

/** An offset has fifteen bits (§7.2.2). */
const maxFileBytes = 0x8000
/** What a card answers at most to one command of ours. */
const partBytes = 256

const beyondEnd = 0x6b00

/** Selects a folder or a file by its path from the master file, without an answer that describes it. */
export const selectPath = (session: CardSession, path: Uint8Array): CardResponse =>
  session.send({ ins: 0xa4, p1: 0x08, p2: 0x0c, data: path })

/** The whole file; undefined: the card has none of this path. Throws `card-mute` when the card does not give it, TlvError when it has no end. */
export function readFile(session: CardSession, path: Uint8Array): Uint8Array | undefined {
  if (!isPresent(selectPath(session, path).status)) return undefined
  const parts: Uint8Array[] = []
  for (let offset = 0; offset < maxFileBytes; offset += partBytes) {
    const [p1, p2] = [offset >> 8, offset & 0xff]
    const { data, status } = session.send({ ins: 0xb0, p1, p2, hasResponse: true })
    const isEnd = offset > 0 && status === beyondEnd
    if (!isEnd && !isPresent(status)) {
      if (offset === 0) return undefined
      throw new TlvError('a file ends before its end')
    }
    if (data.length > partBytes) throw new TlvError('a part of a file is longer than was asked for')
    parts.push(data)
    if (data.length < partBytes) return Buffer.concat(parts)
  }
  throw new TlvError('a file has no end')
}

/** The certificate with which a file or object begins; undefined: it is empty, or erased. Throws TlvError when it is something else. */
export function takeCertificate(data: Uint8Array): Uint8Array | undefined {
  if (data.every((byte) => byte === 0x00 || byte === 0xff)) return undefined
  if (data[0] !== 0x30) throw new TlvError('the certificate is not valid DER')
  return takeElement(data)
}
