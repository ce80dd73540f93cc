/** For back ends: checks the signatures of a PDF. */
import { type CmsSignature, type CmsTrust, verifyDetachedCms } from '../signatures/cms.ts'
import type { SignatureHash } from '../signatures/signature-algorithms.ts'
import { SignatureError, type SignatureFailure } from '../signatures/signature-error.ts'
import { type Budget, createBudget } from './budget.ts'
import { compareRevisions, type LaterChanges } from './compare-revisions.ts'
import { openDocument, type PdfDocument } from './document.ts'
import { listSignedFields, type SignedField } from './form-fields.ts'
import { isNamed, isString, type PdfObject } from './objects.ts'
import { PdfSignatureError, tooLargePdf } from './pdf-error.ts'
import {
  type ReadSignature,
  readSignature,
  refuseSignature,
  type Unreadable,
} from './read-signature.ts'
import { forbidsChanges, maxSignatures } from './require-signable.ts'
import { requirePdf } from './signature-options.ts'
import { readSignedBytes } from './signature-space.ts'
import { readDateString, readTextString } from './write-object.ts'

/** A signature that is valid for the revision of the PDF that it signs. `coversWholeFile` and `laterChanges` say whether that is what you have. */
export interface ValidPdfSignature extends CmsSignature {
  readonly valid: true
  /** The name of its field. */
  readonly field: string
  /** The reason and place that the signer claims. They are not verified. */
  readonly claimedReason: string | undefined
  readonly claimedLocation: string | undefined
  /** Whether nothing comes after the revision that it signs. */
  readonly coversWholeFile: boolean
  /** The bytes of the file that it signs, from its start: the document as it was signed is `pdf.subarray(0, signedLength)`. */
  readonly signedLength: number
  /** What later revisions change. Accept no `other`, which may show anything; the document as it was signed is still valid. */
  readonly laterChanges: LaterChanges
}

/** Why a signature is not valid; the reasons of `SignatureError` mean the same here. */
export type PdfSignatureRejection =
  | SignatureFailure
  /** Not of the type ETSI.CAdES.detached. */
  | 'type-unsupported'
  /** It doesn't sign its whole revision. */
  | 'ranges-invalid'

/** A signature that is not valid. */
export interface InvalidPdfSignature {
  readonly valid: false
  /** The name of its field. */
  readonly field: string
  readonly reason: PdfSignatureRejection
  /** For your log. */
  readonly message: string
}

/** The result for one signature. */
export type PdfSignature = ValidPdfSignature | InvalidPdfSignature

/**
 * Checks all signatures of a PDF by PAdES B-B and B-T (SubFilter ETSI.CAdES.detached), and resolves with a result for each, in the order of their
 * fields. Timestamps of the document itself are left out. A signature has to sign all of its revision but itself, and its certificate has to
 * lead to one of `roots`, to be meant for signatures, and to be valid at the time of its timestamp (now, if there is none).
 *
 * Rejects with a `PdfSignatureError` if the PDF cannot be read, and with a `SignatureError` (`settings-invalid`) if an option is invalid.
 * Source: ETSI EN 319 142-1, ISO 32000-1 12.8.
 */
export async function verifyPdfSignatures(
  pdf: Uint8Array,
  options: CmsTrust,
): Promise<readonly PdfSignature[]> {
  requirePdf(pdf)
  // A copy: the caller may change theirs meanwhile.
  const document = await openDocument(new Uint8Array(pdf), createBudget())
  const fields = listSignedFields(document).filter(
    ({ value }) => !isNamed(value.get('Type'), 'DocTimeStamp'),
  )
  if (fields.length > maxSignatures)
    throw tooLargePdf(`it has more than ${maxSignatures} signatures`)
  const budgets = { revisions: createBudget(), comparison: createBudget() }
  const results: PdfSignature[] = []
  for (const field of fields) results.push(await verifyField(document, field, options, budgets))
  return results
}

/** Shared by all signatures. A comparison that is too costly spoils no other result. */
interface Budgets {
  readonly revisions: Budget
  readonly comparison: Budget
}

async function verifyField(
  document: PdfDocument,
  field: SignedField,
  options: CmsTrust,
  { revisions, comparison }: Budgets,
): Promise<PdfSignature> {
  const { name } = field
  const reject = ({ reason, message }: Unreadable | SignatureError): InvalidPdfSignature => ({
    ...{ valid: false, field: name, reason, message },
  })
  const read = readSignature(document, field)
  if ('reason' in read) return reject(read)
  const signed = await openRevision(document, field, read, revisions)
  if ('reason' in signed) return reject(signed)
  const { revision, value } = signed
  const digestOf = (hash: SignatureHash) => hashRevision(revision, read, hash, revisions)
  try {
    const signature = await verifyDetachedCms(read.cms, digestOf, options)
    const changes = compareRevisions(revision, document, comparison)
    const isLocked = changes !== 'none' && forbidsChanges(revision, value)
    return {
      ...signature,
      valid: true,
      field: name,
      signingTime: signature.signingTime ?? readDate(value.get('M')),
      claimedReason: readText(value.get('Reason')),
      claimedLocation: readText(value.get('Location')),
      coversWholeFile: read.length === document.bytes.length,
      signedLength: read.length,
      laterChanges: isLocked ? 'other' : changes,
    }
  } catch (error) {
    if (!(error instanceof SignatureError) || error.reason === 'settings-invalid') throw error
    return reject(error)
  }
}

interface Revision {
  readonly revision: PdfDocument
  /** The signature as this revision has it. */
  readonly value: SignedField['value']
}

/** The file as it was signed: whole, and with this signature in this field. */
async function openRevision(
  document: PdfDocument,
  field: SignedField,
  { start, length }: ReadSignature,
  budget: Budget,
): Promise<Revision | Unreadable> {
  const { bytes } = document
  if (length === bytes.length) return { revision: document, value: field.value }
  try {
    const revision = await openDocument(bytes.subarray(0, length), budget)
    const own = listSignedFields(revision).find(
      ({ name, signature }) => name === field.name && signature.number === field.signature.number,
    )
    const read = own && readSignature(revision, own)
    if (own && read && 'start' in read && read.start === start && read.length === length) {
      return { revision, value: own.value }
    }
  } catch (error) {
    if (!(error instanceof PdfSignatureError) || error.reason === 'pdf-too-large') throw error
  }
  return refuseSignature('ranges-invalid', 'what it signs is not a whole revision of the PDF')
}

async function hashRevision(
  { bytes }: PdfDocument,
  { start, end, length }: ReadSignature,
  hash: SignatureHash,
  budget: Budget,
): Promise<Uint8Array> {
  budget('signed', length)
  const signed = readSignedBytes(bytes, start, end, length)
  return new Uint8Array(await globalThis.crypto.subtle.digest(hash, signed))
}

const readText = (object: PdfObject | undefined): string | undefined =>
  isString(object) ? readTextString(object) : undefined

const readDate = (object: PdfObject | undefined): Date | undefined =>
  isString(object) ? readDateString(object) : undefined
