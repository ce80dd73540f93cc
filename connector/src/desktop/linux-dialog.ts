/** Dialogs on Linux, by zenity or kdialog, and links, by xdg-open. */
import type { Ask, Open, Question } from './dialog.ts'
import type { Programs } from './programs.ts'

/**
 * Arguments of each program: a question where there is a button to press, else a message. A character of a label that
 * would make the next one a key, `_` in GTK and `&` in Qt, is doubled.
 */
const argumentsOf = {
  zenity: ({ title, text, button }: Question) => [
    button ? '--question' : '--info',
    ...['--no-markup', '--width=480', `--title=${title}`, `--text=${text}`],
    ...(button ? [`--ok-label=${button.label.replaceAll('_', '__')}`, '--cancel-label=Close'] : []),
  ],
  kdialog: ({ title, text, button }: Question) => [
    ...['--title', title, button ? '--yesno' : '--msgbox', richText(text)],
    ...(button ? ['--yes-label', button.label.replaceAll('&', '&&'), '--no-label', 'Close'] : []),
  ],
} as const

export const linuxAsk =
  (environment: Readonly<Record<string, string | undefined>>, programs: Programs): Ask =>
  async (question, signal) => {
    const kde = (environment['XDG_CURRENT_DESKTOP'] ?? '').split(':').includes('KDE')
    const tools = kde ? (['kdialog', 'zenity'] as const) : (['zenity', 'kdialog'] as const)
    for (const tool of tools) {
      const program = programs.find(tool)
      if (program === undefined) continue
      const outcome = await programs.run(program, argumentsOf[tool](question), {
        signal,
        // Its errors in English, to be compared; what the window says is ours.
        variables: { LANGUAGE: 'en' },
      })
      if (outcome.kind === 'late') return 'closed'
      if (outcome.kind !== 'ended' || displayless.test(outcome.said)) return 'unavailable'
      if (outcome.status === 0) return question.button ? 'pressed' : 'closed'
      return closes.has(outcome.status) ? 'closed' : 'unavailable'
    }
    return 'unavailable'
  }

/** GTK ends with 1 without a display, as when the person says no; Qt aborts. */
const displayless = /cannot open display|could not connect to display/i
/** No, and the window's own close button. */
const closes: ReadonlySet<number> = new Set([1, 2])

export const linuxOpen =
  (programs: Programs): Open =>
  async (url, signal) => {
    const program = programs.find('xdg-open')
    return program !== undefined && programs.launch(program, [url], signal)
  }

/** Qt guesses whether a text is HTML: it is told, so that it shows what is written; backslashes are escapes here. */
const richText = (text: string) =>
  `<qt>${text
    .replaceAll('\\', '\\\\')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br>')}</qt>`
