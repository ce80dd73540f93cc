/** Converts the output of a clipboard program to text. */
import type { ClipboardText } from './desktop.ts'

/** The output has to be UTF-8; anything else counts as no text. */
export function toClipboardText(output: Uint8Array): ClipboardText {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(output)
    return text === '' ? { kind: 'empty' } : { kind: 'text', text }
  } catch {
    return { kind: 'empty' }
  }
}

/** Why the clipboard cannot be read when there was no reply in time. */
export const noReplyReason =
  'Cannot read the clipboard: the program that holds it is not responding; copy the text again'
