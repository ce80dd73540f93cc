/** What keeps a PDF from being signed once more. */
import type { PdfDocument } from './document.ts'
import { findForm, listSignedFields } from './form-fields.ts'
import { isArray, isDictionary, isNamed, type PdfObject } from './objects.ts'
import { PdfSignatureError } from './pdf-error.ts'

/** Signatures in one file. */
export const maxSignatures = 50

/** Throws `form-unsupported`, `pdf-locked` or `pdf-too-large`. */
export function requireSignable(document: PdfDocument): void {
  if (findForm(document)?.has('XFA') || document.catalog.has('NeedsRendering')) {
    throw new PdfSignatureError(
      'form-unsupported',
      'Cannot sign the PDF: it has an XFA form. Print it to a new PDF, and sign that one',
    )
  }
  const signatures = listSignedFields(document)
  if (signatures.length >= maxSignatures) {
    throw new PdfSignatureError(
      'pdf-too-large',
      `Cannot sign the PDF: it has ${signatures.length} signatures, which is the maximum`,
    )
  }
  const permissions = document.resolve(document.catalog.get('Perms'))
  const certification = isDictionary(permissions)
    ? document.resolve(permissions.get('DocMDP'))
    : null
  const all = [certification, ...signatures.map(({ value }) => value)]
  const locks = signatures.map(({ dictionary }) => document.resolve(dictionary.get('Lock')))
  if (all.some((one) => forbidsChanges(document, one)) || locks.some(isLock)) {
    throw new PdfSignatureError(
      'pdf-locked',
      'Cannot sign the PDF: an earlier signature forbids every later change, also more signatures',
    )
  }
}

/** A signature with DocMDP, whose permission 1 is "no changes" (ISO 32000-1, 12.8.2.2). */
export function forbidsChanges(document: PdfDocument, signature: PdfObject): boolean {
  const references = isDictionary(signature) ? document.resolve(signature.get('Reference')) : null
  if (!isArray(references)) return false
  return references.some((one) => {
    const reference = document.resolve(one)
    if (!isDictionary(reference)) return false
    if (!isNamed(document.resolve(reference.get('TransformMethod')), 'DocMDP')) return false
    const parameters = document.resolve(reference.get('TransformParams'))
    return isDictionary(parameters) && document.resolve(parameters.get('P')) === 1
  })
}

/** A lock of a signed field that has permission 1 (ISO 32000-2, table 236). */
const isLock = (lock: PdfObject): boolean => isDictionary(lock) && lock.get('P') === 1
