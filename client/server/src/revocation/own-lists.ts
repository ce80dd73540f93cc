/** The revocation lists that a back end has already. */
import type { RevocationSettings } from './settings.ts'

const maxLists = 20
const maxReason = 200
/** RFC 7468 §6; some programs write the second. */
const block = /-----BEGIN (X509 CRL|CRL)-----([^-]+)-----END \1-----/g

export interface OwnLists {
  /** In DER. */
  readonly lists: readonly Uint8Array[]
  /** Why there may be fewer than the back end has, for the log. */
  readonly cause?: string
}

/** Never rejects: what cannot be read, or is too long, is left out. */
export async function readOwnLists({
  lists,
  maxCrlBytes,
}: Pick<RevocationSettings, 'lists' | 'maxCrlBytes'>): Promise<OwnLists> {
  try {
    const given = (await lists()).slice(0, maxLists)
    const short = given.filter(({ length }) => length <= 2 * maxCrlBytes)
    const read = short.map((list) => (typeof list === 'string' ? readPem(list) : [list]))
    const found = read.flat().filter(({ length }) => length <= maxCrlBytes)
    const isWhole = found.length >= given.length && read.every(({ length }) => length > 0)
    return {
      lists: found.slice(0, maxLists),
      ...(!isWhole && { cause: 'one is not a list in PEM or DER, or too long' }),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { lists: [], cause: `they cannot be read: ${reason.slice(0, maxReason)}` }
  }
}

const readPem = (text: string): readonly Uint8Array[] =>
  [...text.matchAll(block)].map(([, , body = '']) =>
    Uint8Array.from(atob(body), (character) => character.charCodeAt(0)),
  )
