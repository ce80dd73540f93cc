/** The first half of a signature in a PDF: the PDF gets a space for it, and the card gets what it signs (PAdES, ETSI EN 319 142-1). */
import { toDer } from '../certificate-subject.ts'
import { prepareCms } from '../signatures/cms.ts'
import type { SignatureHash } from '../signatures/signature-algorithms.ts'
import { readSigningCertificate } from '../signatures/signing-certificate.ts'
import { addSignatureField } from './add-signature-field.ts'
import { writeAppearance } from './appearance.ts'
import { appendRevision, type Change } from './append-revision.ts'
import { createBudget } from './budget.ts'
import { maxObjectNumber } from './cross-references.ts'
import { openDocument, type PdfDocument } from './document.ts'
import { isCount, toReference } from './objects.ts'
import { type Box, findPage, toOwnCoordinates } from './pages.ts'
import { invalidSetting, malformedPdf } from './pdf-error.ts'
import { requireSignable } from './require-signable.ts'
import { type PdfSignatureOptions, requireOptions, requirePdf } from './signature-options.ts'
import { readSignedBytes, writeByteRange, writeSignatureSpace } from './signature-space.ts'
import { writeState } from './signature-state.ts'

/** What the card signs, and what your back end keeps until it has. */
export interface PreparedPdfSignature {
  /** For `card.sign`. */
  readonly hash: SignatureHash
  /** For `card.sign`: 32, 48 or 64 bytes. */
  readonly digest: Uint8Array<ArrayBuffer>
  /** For `completePdfSignature`: the PDF and the signature's other parts. Keep it in your back end, out of the page's reach. */
  readonly state: Uint8Array<ArrayBuffer>
}

/** Bytes in a signature for its value, and for a timestamp with the certificates of its service. */
const laterBytes = 1024 + 16 * 1024
const nowhere: Box = [0, 0, 0, 0]

/**
 * Prepares a signature of a PDF (PAdES B-B, ETSI EN 319 142-1): appends a revision with a signature field, so that earlier signatures
 * stay valid, and returns the digest for `card.sign({ key, hash, digest })`.
 *
 * Rejects with a `PdfSignatureError` if the PDF cannot be signed, or with a `SignatureError` if the certificate is not meant for signatures, or
 * not valid at `signingTime`. Source: ETSI EN 319 142-1 §6, ISO 32000-1 §12.8.
 */
export async function preparePdfSignature(
  options: PdfSignatureOptions,
): Promise<PreparedPdfSignature> {
  const time = requireOptions(options)
  requirePdf(options.pdf)
  const { certificate, chain, hash } = readSigningCertificate(options, time)
  const signer = { certificate: toDer(certificate), chain: chain.map(toDer), hash }
  const document = await openDocument(options.pdf, createBudget())
  requireSignable(document)

  // How long a signature is, is known before what it signs.
  const { state: sample } = await prepareCms({
    ...signer,
    digest: await hashBytes(hash, new Uint8Array()),
  })
  const { name, reason, location } = options
  const space = writeSignatureSpace({ time, name, reason, location }, sample.length + laterBytes)
  const commonName = name ?? certificate.subjectName.getField('CN')[0]
  const { number, changes, nextNumber } = makeChanges(document, options, space.text, [
    ...[commonName, formatTime(time), reason],
  ])
  const { bytes, positions } = appendRevision(document, nextNumber, changes)
  requirePdf(bytes)
  const place = positions.get(number)
  if (place === undefined) throw malformedPdf('its signature has no place')
  const [start, end] = [place + space.start, place + space.end]
  writeByteRange(bytes, start, end)
  const digest = await hashBytes(hash, readSignedBytes(bytes, start, end, bytes.length))
  const cms = await prepareCms({ ...signer, digest })
  return {
    hash,
    digest: cms.digest,
    state: writeState({ pdf: bytes, start, end, cms: cms.state }),
  }
}

/** `2026-11-29 19:10 UTC`, which is read the same in all languages. */
const formatTime = (time: Date): string =>
  `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const hashBytes = async (
  hash: SignatureHash,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await globalThis.crypto.subtle.digest(hash, bytes))

interface Changes {
  /** Of the signature. */
  readonly number: number
  readonly changes: readonly Change[]
  readonly nextNumber: number
}

function makeChanges(
  document: PdfDocument,
  { appearance }: PdfSignatureOptions,
  text: string,
  lines: readonly (string | undefined)[],
): Changes {
  let next = findFreeNumber(document)
  const take = () => next++
  const number = take()
  const changes: Change[] = [{ number, generation: 0, text }]
  const page = findPage(document, appearance?.page ?? 1)
  const rectangle = appearance ? toOwnCoordinates(page, appearance.rectangle) : nowhere
  if (!rectangle) throw invalidSetting('appearance.rectangle', 'a rectangle on the page')
  const shown = appearance && toReference(take())
  if (appearance && shown) {
    const all = appearance.text ?? lines.filter((line) => line !== undefined).join('\n')
    const font = toReference(take())
    const { rectangle: place } = appearance
    const texts = writeAppearance(all, { rectangle: place, rotation: page.rotation, font })
    changes.push({ ...shown, text: texts.form }, { ...font, text: texts.font })
  }
  changes.push(
    ...addSignatureField(document, {
      ...{ page, rectangle, appearance: shown },
      signature: toReference(number),
      takeNumber: take,
    }),
  )
  return { number, changes, nextNumber: next }
}

/** Above all that the document has or says it has. */
function findFreeNumber({ trailer, entries }: PdfDocument): number {
  const size = trailer.get('Size')
  let free = isCount(size) ? size : 0
  for (const number of entries.keys()) if (number >= free) free = number + 1
  if (free + 10 > maxObjectNumber) throw malformedPdf('it has no free number for an object')
  return Math.max(free, 1)
}
