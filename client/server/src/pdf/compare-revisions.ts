/**
 * What the revisions after a signature changed. The objects of both are compared, beginning with their catalogs; whatever is not known to
 * be harmless counts as another change.
 */

import { type AddedFields, findAddedFields, isHidden } from './added-fields.ts'
import type { Budget } from './budget.ts'
import type { Entry } from './cross-references.ts'
import type { PdfDocument } from './document.ts'
import { findForm } from './form-fields.ts'
import { hidesObjects } from './hidden-objects.ts'
import {
  isArray,
  isDictionary,
  isName,
  isNamed,
  isReference,
  isStream,
  isString,
  type PdfDictionary,
  type PdfObject,
  type PdfReference,
  toReference,
} from './objects.ts'
import { PdfSignatureError } from './pdf-error.ts'

/** What the revisions after a signature have changed; `other` includes what cannot be told. */
export type LaterChanges =
  /** Nothing. */
  | 'none'
  /** They add signatures that are not shown, or data with which signatures are verified: the document looks as it was signed. */
  | 'signatures'
  /** They add signatures, of which at least one is shown on a page, over what was there. */
  | 'visible-signatures'
  /** They change anything else, or it cannot be told: the document may not look as it was signed. */
  | 'other'

/** Parts of the catalog that show nothing: the form is compared on its own. */
const freeInCatalog = ['AcroForm', 'DSS', 'Extensions']
/** What a form without other fields may have. */
const freeInNewForm = ['Fields', 'SigFlags', 'DR', 'DA']

/** Compares what two revisions of a file show. More than the budget allows counts as another change. */
export function compareRevisions(
  earlier: PdfDocument,
  later: PdfDocument,
  budget: Budget,
): LaterChanges {
  try {
    return compare(earlier, later, budget)
  } catch (error) {
    if (error instanceof PdfSignatureError && error.reason === 'pdf-too-large') return 'other'
    throw error
  }
}

function compare(earlier: PdfDocument, later: PdfDocument, budget: Budget): LaterChanges {
  if (earlier.bytes.length === later.bytes.length) return 'none'
  // A file that ends with its old cross-references has something after them that no object is.
  if (later.start < earlier.bytes.length || hidesObjects(earlier, later, budget)) return 'other'
  const added = findAddedFields(earlier, later)
  if (!added) return 'other'
  const comparison = createComparison(earlier, later, added, budget)
  const isSame =
    compareForms(earlier, later, comparison) &&
    comparison.dictionaries(earlier.catalog, later.catalog, freeInCatalog) &&
    comparison.isSame(earlier.trailer.get('Info'), later.trailer.get('Info'))
  if (!isSame) return 'other'
  return added.areVisible || comparison.hasNewAppearance() ? 'visible-signatures' : 'signatures'
}

interface Comparison {
  isSame(one: PdfObject | undefined, other: PdfObject | undefined): boolean
  /** Whether all entries but the free ones are the same. */
  dictionaries(one: PdfDictionary, other: PdfDictionary, free: readonly string[]): boolean
  /** Whether a field that was there has been signed, and is shown. */
  hasNewAppearance(): boolean
}

function compareForms(
  earlier: PdfDocument,
  later: PdfDocument,
  { dictionaries, isSame }: Comparison,
): boolean {
  const [before, after] = [findForm(earlier), findForm(later)]
  if (!before) return !after || [...after.keys()].every((name) => freeInNewForm.includes(name))
  if (!after || !dictionaries(before, after, ['Fields', 'SigFlags'])) return false
  const [fields, all] = [
    earlier.resolve(before.get('Fields')),
    later.resolve(after.get('Fields')),
  ] as const
  return !isArray(fields) || (isArray(all) && fields.every((field, at) => isSame(field, all[at])))
}

/** Whether both revisions have the object in the same place. */
function isUntouched(
  earlier: PdfDocument,
  later: PdfDocument,
  one: PdfReference,
  other: PdfReference,
): boolean {
  if (one.number !== other.number || one.generation !== other.generation) return false
  const [before, after] = [earlier, later].map(({ entries }) => entries.get(one.number))
  if (before?.kind === 'packed' && after?.kind === 'packed') {
    return (
      before.index === after.index &&
      isSamePlace(earlier.entries.get(before.container), later.entries.get(after.container))
    )
  }
  return isSamePlace(before, after)
}

const isSamePlace = (one: Entry | undefined, other: Entry | undefined): boolean =>
  one?.kind === 'plain' &&
  other?.kind === 'plain' &&
  one.offset === other.offset &&
  one.generation === other.generation

/** The references in an object. */
function listReferences(object: PdfObject): readonly PdfReference[] {
  if (isReference(object)) return [object]
  if (isStream(object)) return listReferences(object.dictionary)
  if (isArray(object)) return object.flatMap(listReferences)
  return isDictionary(object) ? [...object.values()].flatMap(listReferences) : []
}

type Pair = readonly [one: PdfObject, other: PdfObject]

function createComparison(
  earlier: PdfDocument,
  later: PdfDocument,
  added: AddedFields,
  budget: Budget,
): Comparison {
  const seen = new Set<string>()
  const waiting: Pair[] = []
  let hasNewAppearance = false

  /** Compares two objects, and leaves what is in them for later: objects refer to each other in circles. */
  const compareOne = (given: Pair): boolean => {
    budget('objects', 1)
    const [first, second] = given
    if (isReference(first) && isReference(second)) {
      const key = `${first.number} ${first.generation} ${second.number} ${second.generation}`
      if (seen.has(key)) return true
      seen.add(key)
      if (isUntouched(earlier, later, first, second)) {
        // The same bytes: only what they refer to can differ.
        for (const reference of listReferences(later.resolve(second))) {
          waiting.push([reference, reference])
        }
        // How long a stream of objects is may stand in another object.
        const entry = later.entries.get(second.number)
        if (entry?.kind === 'packed') {
          const container = toReference(entry.container)
          waiting.push([container, container])
        }
        return true
      }
    }
    const [one, other] = [earlier.resolve(first), later.resolve(second)]
    if (isStream(one) || isStream(other)) {
      if (!isStream(one) || !isStream(other) || !hasSameBytes(one.data, other.data)) return false
      return compareEntries(one.dictionary, other.dictionary, [])
    }
    if (isDictionary(one) || isDictionary(other)) {
      return isDictionary(one) && isDictionary(other) && compareDictionaries(one, other)
    }
    if (isArray(one) || isArray(other)) {
      if (!isArray(one) || !isArray(other) || one.length !== other.length) return false
      for (const [at, item] of one.entries()) waiting.push([item, other[at] ?? null])
      return true
    }
    if (isString(one) && isString(other)) return hasSameBytes(one.bytes, other.bytes)
    if (isName(one) && isName(other)) return one.value === other.value
    return one === other
  }
  const hasSameBytes = (one: Uint8Array, other: Uint8Array): boolean => {
    if (one.length !== other.length) return false
    if (one.buffer === other.buffer && one.byteOffset === other.byteOffset) return true
    budget('unpacked', one.length)
    return one.every((byte, at) => byte === other[at])
  }
  const compareEntries = (
    one: PdfDictionary,
    other: PdfDictionary,
    free: readonly string[],
  ): boolean => {
    for (const name of new Set([...one.keys(), ...other.keys()])) {
      if (!free.includes(name)) waiting.push([one.get(name) ?? null, other.get(name) ?? null])
    }
    return true
  }
  const compareDictionaries = (one: PdfDictionary, other: PdfDictionary): boolean => {
    if (isNamed(one.get('Type'), 'Page') && isNamed(other.get('Type'), 'Page')) {
      return compareAnnotations(one, other) && compareEntries(one, other, ['Annots'])
    }
    const isSigned =
      isNamed(one.get('FT'), 'Sig') &&
      earlier.resolve(one.get('V')) === null &&
      later.resolve(other.get('V')) !== null
    if (!isSigned) return compareEntries(one, other, [])
    if (!isHidden(later, other)) hasNewAppearance = true
    return compareEntries(one, other, ['V', 'AP'])
  }
  /** A page may have more of them: those of signature fields that were added. */
  const compareAnnotations = (one: PdfDictionary, other: PdfDictionary): boolean => {
    const [before, after] = [earlier.resolve(one.get('Annots')), later.resolve(other.get('Annots'))]
    const [had, has] = [before ?? [], after ?? []]
    if (!isArray(had) || !isArray(has) || has.length < had.length) return false
    for (const [at, annotation] of had.entries()) waiting.push([annotation, has[at] ?? null])
    return has
      .slice(had.length)
      .every((annotation) => isReference(annotation) && added.numbers.has(annotation.number))
  }
  const compareAll = (): boolean => {
    for (let pair = waiting.pop(); pair; pair = waiting.pop()) if (!compareOne(pair)) return false
    return true
  }
  return {
    isSame(one, other) {
      waiting.push([one ?? null, other ?? null])
      return compareAll()
    },
    dictionaries: (one, other, free) => compareEntries(one, other, free) && compareAll(),
    hasNewAppearance: () => hasNewAppearance,
  }
}
