/** The revocation lists that a back end has already. */
import type { RevocationSettings } from './settings.ts'

const maxLists = 20
/** RFC 7468 §6; some programs write the second. */
const block = /-----BEGIN (X509 CRL|CRL)-----([^-]+)-----END \1-----/g

/** In DER. What cannot be read, or is too long, is left out: the status is then unknown where nothing else has it. */
export async function readOwnLists({
  lists,
  maxCrlBytes,
}: Pick<RevocationSettings, 'lists' | 'maxCrlBytes'>): Promise<readonly Uint8Array[]> {
  try {
    return (await lists())
      .slice(0, maxLists)
      .filter(({ length }) => length <= 2 * maxCrlBytes)
      .flatMap((list) => (typeof list === 'string' ? readPem(list) : [list]))
      .filter(({ length }) => length <= maxCrlBytes)
      .slice(0, maxLists)
  } catch {
    return []
  }
}

const readPem = (text: string): readonly Uint8Array[] =>
  [...text.matchAll(block)].map(([, , body = '']) =>
    Uint8Array.from(atob(body), (character) => character.charCodeAt(0)),
  )
