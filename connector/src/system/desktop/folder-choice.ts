/** Has the user choose a folder, in the window of the desktop for that. */
import { toPlainLine } from './plain-text.ts'

export interface FolderQuestion {
  /** Who asks and what for, in one line: some systems show it as the name of the window alone. */
  readonly title: string
  /** Where the window begins; an absolute path. Windows begins where it likes. */
  readonly start: string
  /** Of the buttons, where a program lets us choose: a tag of BCP 47; may be empty. */
  readonly language: string
}

/** `late`: the signal ended it; `unavailable`: no window could be shown. */
export type FolderChoice =
  /** As the system writes it. */
  | { readonly kind: 'chosen'; readonly path: string }
  | { readonly kind: 'cancelled' | 'late' | 'unavailable' }

/** Shows the window until the user chooses or the signal ends it. Never throws. */
export type ChooseFolder = (question: FolderQuestion, signal: AbortSignal) => Promise<FolderChoice>

/** Bytes that a program may write: one path. */
export const maxPathOutput = 16_384

/** The one line that a program has written. */
export function toFolderChoice(output: Buffer): FolderChoice {
  const path = output.toString().replace(/\r?\n$/, '')
  return path === '' ? { kind: 'cancelled' } : { kind: 'chosen', path }
}

/** The same, with a title that a window shows as it is. */
export const withPlainTitle =
  (choose: ChooseFolder): ChooseFolder =>
  ({ title, ...rest }, signal) =>
    choose({ title: toPlainLine(title), ...rest }, signal)
