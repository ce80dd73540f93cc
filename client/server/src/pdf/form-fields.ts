/** The fields of a PDF's form (ISO 32000-1, 12.7), and the signatures in them. */
import type { PdfDocument } from './document.ts'
import {
  isArray,
  isDictionary,
  isName,
  isReference,
  isString,
  type PdfDictionary,
  type PdfObject,
  type PdfReference,
} from './objects.ts'
import { malformedPdf, tooLargePdf } from './pdf-error.ts'
import { readTextString } from './write-object.ts'

export interface FormField {
  /** With the names of the fields above it, joined by periods. */
  readonly name: string
  /** `Sig`, `Tx`…; undefined where neither it nor a field above it says so. */
  readonly type: string | undefined
  readonly dictionary: PdfDictionary
  readonly reference: PdfReference | undefined
}

const maxFields = 100_000
const maxDepth = 64

export function findForm(document: PdfDocument): PdfDictionary | undefined {
  const form = document.resolve(document.catalog.get('AcroForm'))
  if (form === null) return undefined
  if (!isDictionary(form)) throw malformedPdf('its form is no dictionary')
  return form
}

interface Above {
  readonly name: string
  readonly type: string | undefined
  readonly depth: number
}

/** The fields that have no fields below them, in their order. */
export function listFields(document: PdfDocument): readonly FormField[] {
  const found: FormField[] = []
  const seen = new Set<number>()
  const visit = (object: PdfObject, above: Above) => {
    const reference = isReference(object) ? object : undefined
    if (reference) {
      if (seen.has(reference.number)) throw malformedPdf('a field of its form is in it twice')
      seen.add(reference.number)
      if (seen.size > maxFields) throw tooLargePdf(`its form has more than ${maxFields} fields`)
    }
    if (above.depth > maxDepth)
      throw malformedPdf(`its fields are nested more than ${maxDepth} times`)
    const dictionary = document.resolve(object)
    if (!isDictionary(dictionary)) return
    const [part, type] = [dictionary.get('T'), dictionary.get('FT')].map((one) =>
      document.resolve(one),
    )
    const own = isString(part) ? readTextString(part) : undefined
    const name = own === undefined ? above.name : above.name === '' ? own : `${above.name}.${own}`
    const known = isName(type) ? type.value : above.type
    const kids = document.resolve(dictionary.get('Kids'))
    const fields = isArray(kids) ? kids.filter((kid) => isField(document, kid)) : []
    if (fields.length === 0) found.push({ name, type: known, dictionary, reference })
    for (const kid of fields) visit(kid, { name, type: known, depth: above.depth + 1 })
  }
  const fields = document.resolve(findForm(document)?.get('Fields'))
  if (!isArray(fields)) return []
  for (const field of fields) visit(field, { name: '', type: undefined, depth: 0 })
  return found
}

/** Kids without a name are the places where the field is shown. */
function isField(document: PdfDocument, kid: PdfObject): boolean {
  const dictionary = document.resolve(kid)
  return isDictionary(dictionary) && dictionary.has('T')
}

export interface SignedField extends FormField {
  /** The signature; it is always a separate object. */
  readonly signature: PdfReference
  readonly value: PdfDictionary
}

/** The signature fields that are signed. */
export function listSignedFields(document: PdfDocument): readonly SignedField[] {
  return listFields(document).flatMap((field) => {
    if (field.type !== 'Sig') return []
    const signature = field.dictionary.get('V')
    const value = document.resolve(signature)
    if (value === null) return []
    if (!isReference(signature) || !isDictionary(value)) {
      throw malformedPdf(`the value of the signature field ${field.name.slice(0, 100)} is invalid`)
    }
    return [{ ...field, signature, value }]
  })
}
