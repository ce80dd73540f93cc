/** The second half of a signature in a PDF: what the card signed goes into it. */
import { completeCms } from '../signatures/cms.ts'
import { PdfSignatureError } from './pdf-error.ts'
import { writeContents } from './signature-space.ts'
import { readState } from './signature-state.ts'

/**
 * Completes a signature: `state` from `preparePdfSignature`, and the bytes from `card.sign`. Resolves with the signed PDF.
 *
 * Rejects with a `PdfSignatureError` (`state-malformed`, `signature-too-large`), or with a `SignatureError`, such as
 * `signature-invalid` if the key of the certificate did not sign this digest.
 */
export async function completePdfSignature(
  state: Uint8Array,
  signature: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const { pdf, start, end, cms } = readState(state)
  const complete = await completeCms(cms, signature)
  if (2 * complete.length > end - start - 2) {
    throw new PdfSignatureError(
      'signature-too-large',
      `Cannot put the signature into the PDF: it has ${complete.length} bytes, and there is space for ${(end - start - 2) / 2}`,
    )
  }
  const signed = new Uint8Array(pdf)
  writeContents(signed, start, complete)
  return signed
}
