/** Asks the user a question with two answers, in a window of the desktop. */
import { toPlainLine, toPlainText } from './plain-text.ts'

/** Texts of the window, in the user's language. */
export interface Question {
  readonly title: string
  /** Ends with the question itself: Windows names the buttons Yes and No. Lines are ended by a line feed. */
  readonly text: string
  readonly accept: string
  /** Also the answer of a user who closes the window. */
  readonly refuse: string
}

/** `late`: the signal ended it; `unavailable`: no window could be shown. */
export type Decision = 'accepted' | 'refused' | 'late' | 'unavailable'

/** Shows the window until the user answers or the signal ends it. Never throws. */
export type AskQuestion = (question: Question, signal: AbortSignal) => Promise<Decision>

/** The same, with texts that a window shows as they are. */
export const withPlainQuestion =
  (ask: AskQuestion): AskQuestion =>
  ({ title, text, accept, refuse }, signal) =>
    ask(
      {
        title: toPlainLine(title),
        text: toPlainText(text),
        accept: toPlainLine(accept),
        refuse: toPlainLine(refuse),
      },
      signal,
    )
