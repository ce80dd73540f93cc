/** The signature fields that later revisions add to a form. */
import type { PdfDocument } from './document.ts'
import { findForm, listFields } from './form-fields.ts'
import {
  isArray,
  isDictionary,
  isNamed,
  isReference,
  isString,
  type PdfDictionary,
  type PdfObject,
} from './objects.ts'
import { readTextString } from './write-object.ts'

export interface AddedFields {
  /** The numbers of the fields' objects. */
  readonly numbers: ReadonlySet<number>
  /** Whether one of them is shown. */
  readonly areVisible: boolean
}

/** What a signature field may have: nothing that acts, and no fields above or below it. */
const allowed: readonly string[] = [
  ...[
    'Type',
    'Subtype',
    'FT',
    'T',
    'TU',
    'V',
    'F',
    'P',
    'Rect',
    'AP',
    'MK',
    'DA',
    'Ff',
    'Lock',
    'SV',
  ],
]

/** Undefined where another field was added, or one is missing. */
export function findAddedFields(earlier: PdfDocument, later: PdfDocument): AddedFields | undefined {
  const [before, after] = [readFields(earlier), readFields(later)]
  if (!before || !after || after.length < before.length) return undefined
  const names = new Set(listFields(earlier).map(({ name }) => name))
  const numbers = new Set<number>()
  let areVisible = false
  for (const field of after.slice(before.length)) {
    const dictionary = later.resolve(field)
    if (!isReference(field) || !isDictionary(dictionary)) return undefined
    if (numbers.has(field.number)) return undefined
    const name = later.resolve(dictionary.get('T'))
    const isNew = isString(name) && !names.has(readTextString(name))
    if (!isNew || !isNamed(dictionary.get('FT'), 'Sig')) return undefined
    if (![...dictionary.keys()].every((key) => allowed.includes(key))) return undefined
    names.add(readTextString(name))
    numbers.add(field.number)
    if (!isHidden(later, dictionary)) areVisible = true
  }
  return { numbers, areVisible }
}

/** Undefined where the fields are no array. */
function readFields(document: PdfDocument): readonly PdfObject[] | undefined {
  const fields = document.resolve(findForm(document)?.get('Fields'))
  if (fields === null) return []
  return isArray(fields) ? fields : undefined
}

/** Whether the rectangle of a field has no area. */
export function isHidden(document: PdfDocument, field: PdfDictionary): boolean {
  const rectangle = document.resolve(field.get('Rect'))
  if (rectangle === null) return true
  if (!isArray(rectangle) || rectangle.length !== 4) return false
  const sides = rectangle.map((side) => document.resolve(side))
  const [left, bottom, right, top] = sides
  return sides.every((side) => typeof side === 'number') && left === right && bottom === top
}
