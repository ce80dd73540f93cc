/** Asks the user for a secret in a window of the desktop: the port, and what every system does the same. */
import { joinBytes } from './join-bytes.ts'
import { toPlainLine, toPlainText } from './plain-text.ts'

/** Texts of the window, in the user's language. */
export interface SecretQuestion {
  readonly title: string
  /** Who asks, and what for; lines ended by a line feed. */
  readonly text: string
  /** Before the field. */
  readonly prompt: string
  readonly submit: string
  readonly cancel: string
  /** What was wrong with the secret before. */
  readonly error?: string | undefined
}

/**
 * `early`: the user entered something before the window can have been read (`early-answers.ts`); it is overwritten.
 * `late`: the signal ended it; `unavailable`: no window could be shown. The bytes are UTF-8; whoever gets them overwrites them
 * after use.
 */
export type SecretAnswer =
  | { readonly kind: 'entered'; readonly secret: Uint8Array }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'early' }
  | { readonly kind: 'late' }
  | { readonly kind: 'unavailable' }

/** Shows the window until the user answers or the signal ends it. Never throws. The field shows no character. */
export type AskSecret = (question: SecretQuestion, signal: AbortSignal) => Promise<SecretAnswer>

/** Bytes of output that an entry program may write: the longest secret, and what surrounds it. */
export const maxSecretOutput = 4096

/** The same, with texts that a window shows as they are: some windows read `<` as markup. */
export const withPlainTexts =
  (ask: AskSecret): AskSecret =>
  (question, signal) =>
    ask(
      {
        title: toPlainLine(question.title),
        text: toPlainText(question.text),
        prompt: toPlainLine(question.prompt),
        submit: toPlainLine(question.submit),
        cancel: toPlainLine(question.cancel),
        error: question.error && toPlainLine(question.error),
      },
      signal,
    )

/** A secret of its own bytes, without the line end of the program that printed it; the output is overwritten. */
export function takeLine(output: Buffer): Uint8Array {
  const end = output.indexOf(0x0a)
  const secret = joinBytes([output.subarray(0, end === -1 ? output.length : end)])
  output.fill(0)
  return secret
}
