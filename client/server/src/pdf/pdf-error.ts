/** The error of signing a PDF, with its reasons. */

/** Why a PDF is not signed, or its signatures are not read. */
export type PdfSignatureFailure =
  /** An option is invalid; the message names it. */
  | 'settings-invalid'
  /** Not a PDF, or one whose structure readers would have to guess. */
  | 'pdf-malformed'
  /** The PDF needs a password, or has restrictions. */
  | 'pdf-encrypted'
  /** More bytes, objects or signatures than are read. */
  | 'pdf-too-large'
  /** A signature of the PDF forbids every later change. */
  | 'pdf-locked'
  /** The PDF has an XFA form, whose content is outside what a signature shows. */
  | 'form-unsupported'
  /** The state is not from `preparePdfSignature`, or was changed. */
  | 'state-malformed'
  /** The signature with its certificates and timestamp is larger than the space for it in the PDF. */
  | 'signature-too-large'

/** Why a PDF cannot be signed, or its signatures cannot be read. `reason` is for the back end. */
export class PdfSignatureError extends Error {
  override readonly name = 'PdfSignatureError'
  readonly reason: PdfSignatureFailure

  constructor(reason: PdfSignatureFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
  }
}

export const malformedPdf = (what: string, cause?: unknown): PdfSignatureError =>
  new PdfSignatureError('pdf-malformed', `Cannot read the PDF: ${what}`, cause)

export const tooLargePdf = (what: string): PdfSignatureError =>
  new PdfSignatureError('pdf-too-large', `Cannot read the PDF: ${what}`)

export const invalidSetting = (field: string, expected: string): PdfSignatureError =>
  new PdfSignatureError('settings-invalid', `Cannot use ${field}: expected ${expected}`)
