/**
 * Reads a signature of a PDF, and where it is in the file. What it signs has to be all of its revision but the signature itself: else
 * something that is shown could be outside of it, or the signature of another file be wrapped into this one.
 */
import type { PdfDocument } from './document.ts'
import type { SignedField } from './form-fields.ts'
import { isArray, isCount, isName, isString, type PdfObject, type PdfString } from './objects.ts'

export interface ReadSignature {
  /** In DER. */
  readonly cms: Uint8Array<ArrayBuffer>
  /** The space of the signature, with its delimiters. */
  readonly start: number
  readonly end: number
  /** The length of the revision that it signs. */
  readonly length: number
}

/** What is wrong with a signature, before its certificate is looked at. */
type StructureFailure = 'type-unsupported' | 'ranges-invalid' | 'signature-malformed'

export interface Unreadable {
  readonly reason: StructureFailure
  readonly message: string
}

export function readSignature(
  document: PdfDocument,
  { value }: SignedField,
): ReadSignature | Unreadable {
  const type = value.get('SubFilter')
  if (!isName(type) || type.value !== 'ETSI.CAdES.detached') {
    return refuseSignature('type-unsupported', 'expected a signature of type ETSI.CAdES.detached')
  }
  const contents = value.get('Contents')
  if (!isString(contents) || contents.start < 0) {
    return refuseSignature(
      'signature-malformed',
      'its contents are missing, or not in the file itself',
    )
  }
  const [zero, start, end, rest] = readRange(value.get('ByteRange'))
  if (zero !== 0 || start === undefined || end === undefined || rest === undefined) {
    return refuseSignature(
      'ranges-invalid',
      'expected two ranges of bytes, of which the first begins at 0',
    )
  }
  const length = end + rest
  if (length > document.bytes.length) {
    return refuseSignature('ranges-invalid', 'expected two ranges of bytes in the file')
  }
  if (start !== contents.start || end !== contents.end || !isHex(document.bytes, start, end)) {
    return refuseSignature(
      'ranges-invalid',
      'its ranges leave out more, or something else, than its contents',
    )
  }
  const cms = readDer(contents)
  if (!cms) return refuseSignature('signature-malformed', 'its contents are no signature')
  return { cms, start, end, length }
}

export const refuseSignature = (reason: StructureFailure, what: string): Unreadable => ({
  reason,
  message: `Cannot accept the signature: ${what}`,
})

const readRange = (range: PdfObject | undefined): readonly number[] =>
  isArray(range) && range.length <= 4 && range.every(isCount) ? range : []

/** `<` and `>` with nothing but hex digits between them. */
function isHex(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== 0x3c || bytes[end - 1] !== 0x3e) return false
  return bytes.subarray(start + 1, end - 1).every((byte) => {
    const lower = byte | 0x20
    return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66)
  })
}

/** What the DER at the start of the contents takes, if only zeros follow it. */
function readDer({ bytes }: PdfString): Uint8Array<ArrayBuffer> | undefined {
  const [tag, first = 0] = bytes
  if (tag !== 0x30) return undefined
  const more = first & 0x80 ? first & 0x7f : 0
  if (first === 0x80 || more > 4) return undefined
  let length = more === 0 ? first : 0
  for (const byte of bytes.subarray(2, 2 + more)) length = length * 256 + byte
  const end = 2 + more + length
  if (end > bytes.length || bytes.subarray(end).some((byte) => byte !== 0)) return undefined
  return new Uint8Array(bytes.subarray(0, end))
}
