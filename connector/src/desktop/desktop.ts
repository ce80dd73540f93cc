/** The ports of the person's desktop: the clipboard, notifications, dialogs, and the browser that opens a link. */

export type ClipboardText =
  /** As it lies there, a trailing line end included. Secret: never logged, never part of an error. */
  | { readonly kind: 'text'; readonly text: string }
  /** Nothing, no text, or more than `limits.clipboardBytes`, which is not kept. */
  | { readonly kind: 'empty' }
  /** A sentence that says what to do. */
  | { readonly kind: 'unavailable'; readonly reason: string }

export interface Clipboard {
  /** Never throws, and answers within `limits.clipboardMs`. */
  read(): Promise<ClipboardText>
  /** Why it cannot be read here, without reading it; undefined when it can. Takes no longer than a read. */
  available(): Promise<string | undefined>
}

export interface Notifier {
  /** Whether the desktop took it, within `limits.notificationMs`; never throws. Plain text, no markup. */
  show(notification: { readonly title: string; readonly text: string }): Promise<boolean>
}

export interface Message {
  readonly title: string
  /** Plain text, lines ended by a line feed. */
  readonly text: string
  /** A button that opens an http or https address; left out when it is another one. */
  readonly link?: { readonly label: string; readonly url: string }
}

/**
 * `link`: pressed, and the browser has the link; `closed`: by the person, or because the time was over;
 * `unavailable`: not shown, or the browser could not be opened, so it has to be said in another way.
 */
export type Response = 'link' | 'closed' | 'unavailable'

export interface Dialog {
  /** Shows a message in a window until the person answers, `timeoutMs` at most; never throws. */
  show(message: Message, timeoutMs: number): Promise<Response>
}

/** Opens an http or https address in the person's browser; false for every other address, or when it cannot. */
export type OpenLink = (url: string) => Promise<boolean>

export interface Desktop {
  readonly clipboard: Clipboard
  readonly notifier: Notifier
  readonly dialog: Dialog
  readonly openLink: OpenLink
}

export const limits = {
  clipboardMs: 1000,
  /** In UTF-8; a code word is shorter. */
  clipboardBytes: 4096,
  notificationMs: 2000,
  /** A browser that is still starting by then has the link. */
  openMs: 2000,
} as const
