/** The objects of a PDF (ISO 32000-1, 7.3), as data. */

export interface PdfName {
  readonly kind: 'name'
  readonly value: string
}

export interface PdfString {
  readonly kind: 'string'
  readonly bytes: Uint8Array
  /** Where it is in the file, with its delimiters; undefined for one of an object stream. */
  readonly start: number
  readonly end: number
}

export interface PdfReference {
  readonly kind: 'reference'
  readonly number: number
  readonly generation: number
}

export interface PdfStream {
  readonly kind: 'stream'
  readonly dictionary: PdfDictionary
  /** As in the file: not decoded. */
  readonly data: Uint8Array
}

export type PdfArray = readonly PdfObject[]
export type PdfDictionary = ReadonlyMap<string, PdfObject>
export type PdfObject =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfReference
  | PdfArray
  | PdfDictionary
  | PdfStream

export const isArray = (object: PdfObject | undefined): object is PdfArray => Array.isArray(object)

export const isDictionary = (object: PdfObject | undefined): object is PdfDictionary =>
  object instanceof Map

const hasKind = (object: PdfObject | undefined, kind: string): boolean =>
  typeof object === 'object' && object !== null && 'kind' in object && object.kind === kind

export const isName = (object: PdfObject | undefined): object is PdfName => hasKind(object, 'name')
export const isString = (object: PdfObject | undefined): object is PdfString =>
  hasKind(object, 'string')
export const isReference = (object: PdfObject | undefined): object is PdfReference =>
  hasKind(object, 'reference')
export const isStream = (object: PdfObject | undefined): object is PdfStream =>
  hasKind(object, 'stream')

export const isNamed = (object: PdfObject | undefined, name: string): boolean =>
  isName(object) && object.value === name

/** A whole number from 0 to what offsets and counts of a PDF can be. */
export const isCount = (object: PdfObject | undefined): object is number =>
  typeof object === 'number' && Number.isSafeInteger(object) && object >= 0

export const toName = (value: string): PdfName => ({ kind: 'name', value })

export const toReference = (number: number, generation = 0): PdfReference => ({
  kind: 'reference',
  number,
  generation,
})

export const toPdfString = (bytes: Uint8Array): PdfString => ({
  kind: 'string',
  bytes,
  start: -1,
  end: -1,
})
