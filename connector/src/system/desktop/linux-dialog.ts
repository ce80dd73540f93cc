/** Dialogs on Linux, by zenity or kdialog, and links, by xdg-open. */
import type { OpenUrl, Prompt, ShowPrompt } from './dialog.ts'
import { hasNoDisplay } from './linux-window-programs.ts'
import type { Programs } from './programs.ts'

/**
 * The arguments of each program: a question when there is a button, else a message. The character of a label that marks
 * a mnemonic, `_` in GTK and `&` in Qt, is doubled.
 */
const createArguments = {
  zenity: ({ title, text, close, button }: Prompt) => [
    button ? '--question' : '--info',
    ...['--no-markup', '--width=480', `--title=${title}`, `--text=${text}`],
    `--ok-label=${(button?.label ?? close).replaceAll('_', '__')}`,
    ...(button ? [`--cancel-label=${close.replaceAll('_', '__')}`] : []),
  ],
  kdialog: ({ title, text, close, button }: Prompt) => [
    ...['--title', title, button ? '--yesno' : '--msgbox', toRichText(text)],
    ...(button
      ? ['--yes-label', button.label.replaceAll('&', '&&'), '--no-label']
      : ['--ok-label']),
    close.replaceAll('&', '&&'),
  ],
} as const

export const createLinuxPrompt =
  (environment: Readonly<Record<string, string | undefined>>, programs: Programs): ShowPrompt =>
  async (question, signal) => {
    const kde = (environment['XDG_CURRENT_DESKTOP'] ?? '').split(':').includes('KDE')
    const tools = kde ? (['kdialog', 'zenity'] as const) : (['zenity', 'kdialog'] as const)
    for (const tool of tools) {
      const program = programs.find(tool)
      if (program === undefined) continue
      const outcome = await programs.run(program, createArguments[tool](question), {
        signal,
        // Error messages in English, to be compared; the texts of the window are ours.
        variables: { LANGUAGE: 'en' },
      })
      if (outcome.kind === 'late') return 'closed'
      if (outcome.kind !== 'ended' || hasNoDisplay(outcome.errors)) return 'unavailable'
      if (outcome.status === 0) return question.button ? 'pressed' : 'closed'
      return closeStatuses.has(outcome.status) ? 'closed' : 'unavailable'
    }
    return 'unavailable'
  }

/** The cancel button, and the window's own close button. */
const closeStatuses: ReadonlySet<number> = new Set([1, 2])

export const createLinuxOpener =
  (programs: Programs): OpenUrl =>
  async (url, signal) => {
    const program = programs.find('xdg-open')
    return program !== undefined && programs.launch(program, [url], signal)
  }

/** Qt guesses whether a text is HTML: marked as such, the text is shown as written. Backslashes are escapes here. */
export const toRichText = (text: string) =>
  `<qt>${text
    .replaceAll('\\', '\\\\')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br>')}</qt>`
