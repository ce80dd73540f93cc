/** The changes to a PDF that give it one more signature field (ISO 32000-1, 12.7.4.5). */
import type { Change } from './append-revision.ts'
import type { PdfDocument } from './document.ts'
import { findForm, listFields } from './form-fields.ts'
import {
  isArray,
  isReference,
  type PdfDictionary,
  type PdfObject,
  type PdfReference,
  toName,
  toReference,
} from './objects.ts'
import type { Box, Page } from './pages.ts'
import { malformedPdf } from './pdf-error.ts'
import { toTextString, writeObject } from './write-object.ts'

/** What the new field refers to, and where it is shown. */
export interface NewField {
  readonly page: Page
  readonly signature: PdfReference
  /** Returns a number that no object has: for the field, and for the form where the document has none. */
  readonly takeNumber: () => number
  /** Left, bottom, right, top; all 0 for one that is not shown. */
  readonly rectangle: Box
  readonly appearance: PdfReference | undefined
}

/** SignaturesExist and AppendOnly: programs save the document by appending to it. */
const signatureFlags = 3
/** Print and Locked: it can't be moved or deleted by accident (ISO 32000-1, table 165). */
const widgetFlags = 132

export function addSignatureField(document: PdfDocument, field: NewField): readonly Change[] {
  const reference = toReference(field.takeNumber())
  const widget = new Map<string, PdfObject>([
    ['Type', toName('Annot')],
    ['Subtype', toName('Widget')],
    ['FT', toName('Sig')],
    ['T', toTextString(findFreeName(document))],
    ['V', field.signature],
    ['F', widgetFlags],
    ['P', field.page.reference],
    ['Rect', field.rectangle],
  ])
  if (field.appearance) widget.set('AP', new Map([['N', field.appearance]]))
  return [
    { ...reference, text: writeObject(widget) },
    ...addToPage(document, field.page, reference),
    ...addToForm(document, field.takeNumber, reference),
  ]
}

/** `Signature1`, or the first number that no field has. */
function findFreeName(document: PdfDocument): string {
  const names = new Set(listFields(document).map(({ name }) => name.split('.')[0]))
  let number = 1
  while (names.has(`Signature${number}`)) number += 1
  return `Signature${number}`
}

/** The array in an entry with one more member: the array's own object, or the entry. */
function append(
  document: PdfDocument,
  owner: PdfDictionary,
  name: string,
  member: PdfReference,
): { readonly change?: Change; readonly owner?: PdfDictionary } {
  const entry = owner.get(name)
  const list = document.resolve(entry)
  if (list !== null && !isArray(list)) throw malformedPdf(`its ${name} is no array`)
  const longer = [...(list ?? []), member]
  return isReference(entry) && list !== null
    ? { change: { ...entry, text: writeObject(longer) } }
    : { owner: new Map(owner).set(name, longer) }
}

function addToPage(document: PdfDocument, page: Page, member: PdfReference): readonly Change[] {
  const { change, owner } = append(document, page.dictionary, 'Annots', member)
  if (change) return [change]
  return [{ ...page.reference, text: writeObject(owner ?? page.dictionary) }]
}

function addToForm(
  document: PdfDocument,
  takeNumber: () => number,
  member: PdfReference,
): readonly Change[] {
  const form = findForm(document) ?? new Map<string, PdfObject>()
  const { change, owner = form } = append(document, form, 'Fields', member)
  const changed = new Map(owner).set('SigFlags', signatureFlags)
  const changes = change ? [change] : []
  const entry = document.catalog.get('AcroForm')
  if (isReference(entry) && document.resolve(entry) !== null) {
    return [...changes, { ...entry, text: writeObject(changed) }]
  }
  const reference = toReference(takeNumber())
  const catalog = new Map(document.catalog).set('AcroForm', reference)
  return [
    ...changes,
    { ...reference, text: writeObject(changed) },
    { ...document.catalogReference, text: writeObject(catalog) },
  ]
}
