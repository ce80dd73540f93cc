/** What a back end gives to the signing of a PDF, and how it is read. */
import type { SignatureHash } from '../signatures/signature-algorithms.ts'
import type { PageRectangle } from './pages.ts'
import { invalidSetting, PdfSignatureError } from './pdf-error.ts'

/** Where and how a signature is shown. */
export interface PdfAppearance {
  /** The number of the page; the first is 1. */
  readonly page: number
  /** In points of 1/72 inch, from the lower left corner of the page as it is shown. */
  readonly rectangle: PageRectangle
  /** Lines of text, up to 1,000 characters; default: name, time and reason. */
  readonly text?: string | undefined
}

/** The PDF, who signs it, and what the signature says. */
export interface PdfSignatureOptions {
  /** The PDF, up to 50 MiB; not encrypted. */
  readonly pdf: Uint8Array
  /** The certificate of the key that signs, in DER: `der` of `card.certificates()`. */
  readonly certificate: Uint8Array
  /** The CA certificates above it, in DER: `chain` of `card.certificates()`. They go into the signature. */
  readonly chain?: readonly Uint8Array[] | undefined
  /** What the card signs with; default: SHA-256, or the hash that fits the curve of the key. */
  readonly hash?: SignatureHash | undefined
  /** Why the user signs, up to 500 characters. */
  readonly reason?: string | undefined
  /** Where the user signs, up to 500 characters. */
  readonly location?: string | undefined
  /** The signer's name, up to 500 characters; default: that of the certificate, which readers show. */
  readonly name?: string | undefined
  /** Where the signature is shown; default: nowhere. */
  readonly appearance?: PdfAppearance | undefined
  /** The time that the signature claims, in whole seconds; default: the runtime's clock. */
  readonly signingTime?: Date | undefined
}

/** Bytes of a PDF that is signed or verified. */
export const maxPdfBytes = 50 * 1024 * 1024
const maxTextLength = 500
const maxAppearanceLength = 1000

/** Throws `pdf-too-large` or `settings-invalid`. */
export function requirePdf(pdf: Uint8Array): void {
  if (!(pdf instanceof Uint8Array)) throw invalidSetting('pdf', 'the bytes of a PDF')
  if (pdf.length <= maxPdfBytes) return
  throw new PdfSignatureError(
    'pdf-too-large',
    `Cannot use the PDF: it has ${pdf.length} bytes, more than ${maxPdfBytes}`,
  )
}

/** Throws `settings-invalid`, which names the option; the time of the signature. */
export function requireOptions(options: PdfSignatureOptions): Date {
  for (const name of ['reason', 'location', 'name'] as const) {
    requireText(name, options[name], maxTextLength)
  }
  const { appearance, signingTime = new Date() } = options
  if (appearance) {
    const { page, rectangle, text } = appearance
    if (!Number.isInteger(page) || page < 1) {
      throw invalidSetting('appearance.page', 'the number of a page, from 1')
    }
    requireText('appearance.text', text, maxAppearanceLength)
    for (const side of ['x', 'y', 'width', 'height'] as const) {
      const value = rectangle?.[side]
      const isLength = side === 'width' || side === 'height'
      if (!Number.isFinite(value) || value < 0 || (isLength && value < minSide)) {
        const least = isLength ? minSide : 0
        throw invalidSetting(
          `appearance.rectangle.${side}`,
          `a number of points, at least ${least}`,
        )
      }
    }
  }
  const year = signingTime instanceof Date ? signingTime.getUTCFullYear() : Number.NaN
  if (!(year >= 1970 && year <= 9999)) throw invalidSetting('signingTime', 'a Date since 1970')
  return signingTime
}

/** Points that a side of a visible signature has at least. */
const minSide = 10

function requireText(name: string, text: string | undefined, most: number): void {
  if (text === undefined) return
  if (typeof text !== 'string' || text.length > most || !text.isWellFormed()) {
    throw invalidSetting(name, `a text of up to ${most} characters`)
  }
}
