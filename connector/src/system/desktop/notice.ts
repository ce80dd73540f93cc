/** Tells the user something in a window of the desktop, for as long as it holds. */
import { toPlainLine, toPlainText } from './plain-text.ts'

/** Texts of the window, in the user's language. */
export interface Notice {
  readonly title: string
  /** Lines ended by a line feed. */
  readonly text: string
  readonly cancel: string
}

/**
 * `cancelled`: by the user; `closed`: by the user, who lets what it tells of go on; `late`: the signal ended it;
 * `unavailable`: no window could be shown.
 */
export type NoticeEnd = 'cancelled' | 'closed' | 'late' | 'unavailable'

/** Shows the window until the user closes it or the signal ends it. Never throws. */
export type ShowNotice = (notice: Notice, signal: AbortSignal) => Promise<NoticeEnd>

/** The same, with texts that a window shows as they are. */
export const withPlainNotice =
  (show: ShowNotice): ShowNotice =>
  ({ title, text, cancel }, signal) =>
    show(
      { title: toPlainLine(title), text: toPlainText(text), cancel: toPlainLine(cancel) },
      signal,
    )
