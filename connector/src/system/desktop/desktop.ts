/** The ports of the user's desktop: the clipboard, notifications, dialogs, notices, questions, the choice of a folder, the entry of a secret, and the browser that opens a link. */
import type { ChooseFolder } from './folder-choice.ts'
import type { ShowNotice } from './notice.ts'
import type { AskQuestion } from './question.ts'
import type { AskSecret } from './secret-entry.ts'

export type ClipboardText =
  /** The text unchanged, with a trailing line end. Secret: never logged, never part of an error. */
  | { readonly kind: 'text'; readonly text: string }
  /** Nothing, no text, or more than `limits.clipboardBytes`. */
  | { readonly kind: 'empty' }
  /** A sentence that says what to do. */
  | { readonly kind: 'unavailable'; readonly reason: string }

export interface Clipboard {
  /** Never throws, and resolves within `limits.clipboardMs`, or twice that time on Windows. */
  read(): Promise<ClipboardText>
  /** Why it cannot be read here, without reading it; undefined when it can. */
  findObstacle(): Promise<string | undefined>
}

export interface Notifier {
  /** Whether the desktop accepted it, within `limits.notificationMs`; never throws. Plain text in one line, no markup. */
  show(notification: { readonly title: string; readonly text: string }): Promise<boolean>
}

export interface Message {
  readonly title: string
  /** Plain text, lines ended by a line feed. */
  readonly text: string
  /** On the button that closes it. Windows has its own word. */
  readonly close: string
  /** A button that opens an http or https address; left out for another scheme. */
  readonly link?: { readonly label: string; readonly url: string }
}

/**
 * `link`: the button was pressed and the browser has the link, or what is started in its place runs; `closed`: by the user, or after the timeout;
 * `unavailable`: not shown, or the browser could not be opened, so the user has to be informed in another way.
 */
export type DialogResult = 'link' | 'closed' | 'unavailable'

export interface Dialog {
  /** Shows a message in a window until the user answers, `timeoutMs` at most; never throws. */
  show(message: Message, timeoutMs: number): Promise<DialogResult>
}

/** Opens an http or https address in the user's browser; false for every other address, or when it cannot. */
export type OpenLink = (url: string) => Promise<boolean>

export interface Desktop {
  readonly clipboard: Clipboard
  readonly notifier: Notifier
  readonly dialog: Dialog
  readonly showNotice: ShowNotice
  readonly askQuestion: AskQuestion
  readonly chooseFolder: ChooseFolder
  readonly askSecret: AskSecret
  readonly openLink: OpenLink
}

export const limits = {
  clipboardMs: 1000,
  /** In UTF-8; a code word is shorter. */
  clipboardBytes: 4096,
  notificationMs: 2000,
  /** A browser that is still starting after this time has the link. */
  openMs: 2000,
} as const
