/** The signature of a PDF and the space for it, between the two ranges that it signs (ISO 32000-1, 12.8.1). */
import { fromLatin1 } from './characters.ts'
import { type PdfObject, toName } from './objects.ts'
import { toDateString, toHexDigits, toTextString, writeObject } from './write-object.ts'

/** What the signature says about itself, outside its certificate. */
export interface SignatureFacts {
  readonly time: Date
  readonly name: string | undefined
  readonly reason: string | undefined
  readonly location: string | undefined
}

/** The text of the object, and the place in it where the signature goes, with its delimiters. */
export interface SignatureSpace {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Digits of an offset, which is written when the file has its length. */
const offsetDigits = 10
const rangePlace = `[0${' '.repeat(3 * (offsetDigits + 1))}]`
const rangeKey = '/ByteRange '
const contentsKey = '/Contents '

/** `bytes` is the length that the signature may have. */
export function writeSignatureSpace(facts: SignatureFacts, bytes: number): SignatureSpace {
  const entries = new Map<string, PdfObject>([
    ['Type', toName('Sig')],
    ['Filter', toName('Adobe.PPKLite')],
    ['SubFilter', toName('ETSI.CAdES.detached')],
    ['M', toDateString(facts.time)],
  ])
  const texts = { Name: facts.name, Reason: facts.reason, Location: facts.location }
  for (const [key, text] of Object.entries(texts)) {
    if (text !== undefined) entries.set(key, toTextString(text))
  }
  const head = `<<${rangeKey}${rangePlace}${contentsKey}`
  const place = `<${'0'.repeat(2 * bytes)}>`
  const rest = writeObject(entries).slice(2)
  return { text: `${head}${place}${rest}`, start: head.length, end: head.length + place.length }
}

/** Writes the ranges into the file that has the space at these positions. */
export function writeByteRange(file: Uint8Array, start: number, end: number): void {
  const offsets = [start, end, file.length - end].map((one) => ` ${one}`.padEnd(offsetDigits + 1))
  file.set(fromLatin1(offsets.join('')), start - contentsKey.length - rangePlace.length + 2)
}

/** Writes the signature into its space; the rest of it stays zero. */
export function writeContents(file: Uint8Array, start: number, signature: Uint8Array): void {
  file.set(fromLatin1(toHexDigits(signature)), start + 1)
}

/** What is signed: all but the space. */
export function readSignedBytes(
  file: Uint8Array,
  start: number,
  end: number,
  length: number,
): Uint8Array<ArrayBuffer> {
  const signed = new Uint8Array(start + length - end)
  signed.set(file.subarray(0, start))
  signed.set(file.subarray(end, length), start)
  return signed
}
