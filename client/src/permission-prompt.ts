/** The browser asks its user before a page may reach a program on the computer. */

/** What the page decides about the browser's permission prompt. */
export interface PermissionPromptOptions {
  /** false: a call that would make the browser ask rejects with `permission-needed`, to be repeated from a click. */
  readonly mayPrompt?: boolean | undefined
  /** Called when the browser is asking: tell the user to look for the prompt. */
  readonly onPermissionPrompt?: (() => void) | undefined
}
