/** What an output is as text of the clipboard. */
import type { ClipboardText } from './desktop.ts'

/** UTF-8; anything else is no text. */
export function clipboardText(output: Uint8Array): ClipboardText {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(output)
    return text === '' ? { kind: 'empty' } : { kind: 'text', text }
  } catch {
    return { kind: 'empty' }
  }
}

/** The program that holds the clipboard did not answer in time. */
export const silentHolder =
  'Cannot read the clipboard: the program that holds it does not answer; copy the text again'
