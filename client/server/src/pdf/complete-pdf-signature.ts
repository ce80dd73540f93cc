/** The second half of a signature in a PDF: what the card signed goes into it. */
import { type CompleteOptions, completeSignature } from '../signatures/prepare-signature.ts'
import { PdfSignatureError } from './pdf-error.ts'
import type { PreparedPdfSignature } from './prepare-pdf-signature.ts'
import { writeContents } from './signature-space.ts'
import { readState } from './signature-state.ts'

/**
 * Completes a signature: `prepared` is the result of `preparePdfSignature` or its `state`, `signature` what `card.sign` returned. Resolves with the
 * signed PDF. With `timestamp`, the signature has a timestamp (PAdES B-T), which proves when it existed.
 *
 * Rejects with a `PdfSignatureError` (`state-malformed`, `signature-too-large`), or with a `SignatureError`: `signature-invalid` if the key of
 * the certificate did not sign, and those of timestamps, after which you can call it again.
 */
export async function completePdfSignature(
  prepared: PreparedPdfSignature | Uint8Array,
  signature: Uint8Array,
  options: CompleteOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const state = prepared instanceof Uint8Array ? prepared : prepared.state
  const { pdf, start, end, cms } = readState(state)
  const complete = await completeSignature(cms, signature, options)
  const space = (end - start - 2) / 2
  if (complete.length > space) {
    throw new PdfSignatureError(
      'signature-too-large',
      `Cannot put the signature into the PDF: it has ${complete.length} bytes, and there is space for ${space}`,
    )
  }
  writeContents(pdf, start, complete)
  return pdf
}
