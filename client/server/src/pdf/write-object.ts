/** Writes the objects of a PDF. */
import { fromLatin1, isRegular, toLatin1 } from './characters.ts'
import {
  isArray,
  isDictionary,
  isName,
  isReference,
  isString,
  type PdfObject,
  type PdfString,
  toPdfString,
} from './objects.ts'

/** As a text in which each character is a byte. */
export function writeObject(object: PdfObject): string {
  if (object === null) return 'null'
  if (typeof object === 'boolean') return String(object)
  if (typeof object === 'number') return writeNumber(object)
  if (isArray(object)) return `[${object.map(writeObject).join(' ')}]`
  if (isDictionary(object)) {
    const entries = [...object].map(([key, value]) => `${writeName(key)} ${writeObject(value)}`)
    return `<<${entries.join(' ')}>>`
  }
  if (isName(object)) return writeName(object.value)
  if (isReference(object)) return `${object.number} ${object.generation} R`
  if (isString(object)) return writeString(object)
  const dictionary = new Map(object.dictionary).set('Length', object.data.length)
  return `${writeObject(dictionary)}\nstream\n${toLatin1(object.data)}\nendstream`
}

/** Without an exponent, which PDF doesn't have. */
const writeNumber = (value: number): string =>
  Number.isInteger(value) ? value.toFixed(0) : value.toFixed(6).replace(/\.?0+$/, '')

const writeName = (value: string): string =>
  `/${value.replaceAll(/./gs, (character) => {
    const code = character.charCodeAt(0)
    return character !== '#' && code > 0x20 && code < 0x7f && isRegular(code)
      ? character
      : `#${toHex(code)}`
  })}`

const toHex = (byte: number): string => byte.toString(16).padStart(2, '0')
const digitsOfBytes = Array.from({ length: 256 }, (_, byte) => toHex(byte))

export function toHexDigits(bytes: Uint8Array): string {
  let digits = ''
  for (const byte of bytes) digits += digitsOfBytes[byte]
  return digits
}

const writeString = ({ bytes }: PdfString): string =>
  bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
    ? `(${toLatin1(bytes).replaceAll(/[\\()]/g, '\\$&')})`
    : `<${toHexDigits(bytes)}>`

/** A text as PDF has them: ASCII, or UTF-16 with its mark (ISO 32000-1, 7.9.2.2). */
export function toTextString(text: string): PdfString {
  if (/^[\x20-\x7e]*$/.test(text)) return toPdfString(fromLatin1(text))
  const bytes = new Uint8Array(2 + 2 * text.length)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0xfeff)
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 + 2 * at, text.charCodeAt(at))
  return toPdfString(bytes)
}

/** The text of a string; bytes that are neither UTF-16 nor UTF-8 with a mark count as Latin-1. */
export function readTextString({ bytes }: PdfString): string {
  const [first, second] = bytes
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xef && second === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes)
  return toLatin1(bytes)
}

/** `D:20261129191000Z` (ISO 32000-1, 7.9.4). */
export const toDateString = (time: Date): PdfString =>
  toPdfString(fromLatin1(`D:${time.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`))

const datePattern = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?)?/

/** The time that a string says (ISO 32000-1, 7.9.4); undefined where it says none. */
export function readDateString(string: PdfString): Date | undefined {
  const found = datePattern.exec(readTextString(string))
  if (!found) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] = found
  const [sign = '+', hours = '00', minutes = '00'] = found.slice(7)
  const time = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${sign}${hours}:${minutes}`,
  )
  return Number.isNaN(time.getTime()) ? undefined : time
}
