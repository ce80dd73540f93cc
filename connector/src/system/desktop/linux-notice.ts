/** Shows a notice on Linux: by a graphical pinentry, else by zenity or kdialog. Its one button cancels. */
import { encodeNotice } from './assuan.ts'
import { toRichText } from './linux-dialog.ts'
import { showWindow } from './linux-question.ts'
import type { Notice, ShowNotice } from './notice.ts'
import type { Programs } from './programs.ts'

export const createLinuxNotice =
  (environment: Readonly<Record<string, string | undefined>>, programs: Programs): ShowNotice =>
  async (notice, signal) => {
    const input = encodeNotice(notice)
    const end = await showWindow(
      environment,
      programs,
      { input, getArguments: (kind) => createArguments[kind](notice) },
      signal,
    )
    return end === 'accepted' || end === 'refused' ? 'cancelled' : end
  }

const createArguments = {
  zenity: ({ title, text, cancel }: Notice) => [
    ...['--info', '--no-markup', '--width=480', `--title=${title}`, `--text=${text}`],
    `--ok-label=${cancel.replaceAll('_', '__')}`,
  ],
  kdialog: ({ title, text, cancel }: Notice) => [
    ...['--title', title, '--msgbox', toRichText(text)],
    ...['--ok-label', cancel.replaceAll('&', '&&')],
  ],
} as const
