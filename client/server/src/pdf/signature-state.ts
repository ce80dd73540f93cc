/** What a back end keeps between the two halves of a signature, in one piece of bytes. */
import { PdfSignatureError } from './pdf-error.ts'

export interface PdfSignatureState {
  /** The PDF with an empty space for its signature. */
  readonly pdf: Uint8Array<ArrayBuffer>
  /** Where the space is, with its delimiters. */
  readonly start: number
  readonly end: number
  /** The signature that lacks its value. */
  readonly cms: Uint8Array
}

const version = 1
const fields = ['version', 'start', 'end', 'cms'] as const
const headBytes = 4 * fields.length

export function writeState({ pdf, start, end, cms }: PdfSignatureState): Uint8Array<ArrayBuffer> {
  const state = new Uint8Array(headBytes + cms.length + pdf.length)
  const view = new DataView(state.buffer)
  for (const [at, value] of [version, start, end, cms.length].entries()) {
    view.setUint32(4 * at, value)
  }
  state.set(cms, headBytes)
  state.set(pdf, headBytes + cms.length)
  return state
}

/** Throws `state-malformed`. */
export function readState(state: Uint8Array): PdfSignatureState {
  if (!(state instanceof Uint8Array) || state.length < headBytes) throw malformedState()
  const view = new DataView(state.buffer, state.byteOffset, state.byteLength)
  const [found, start = 0, end = 0, length = 0] = fields.map((_, at) => view.getUint32(4 * at))
  const cms = state.slice(headBytes, headBytes + length)
  const pdf = state.slice(headBytes + length)
  const isPlace = start < end && end <= pdf.length && pdf[start] === 0x3c && pdf[end - 1] === 0x3e
  if (found !== version || cms.length !== length || !isPlace) throw malformedState()
  return { pdf, start, end, cms }
}

const malformedState = (): PdfSignatureError =>
  new PdfSignatureError(
    'state-malformed',
    'Cannot read the state: expected what preparePdfSignature returned',
  )
