/** Shows a notice on Linux: by a graphical pinentry, else by zenity or kdialog. Its one button cancels. */
import { encodeNotice } from './assuan.ts'
import { toRichText } from './linux-dialog.ts'
import { runProgram, showWindow } from './linux-question.ts'
import type { Notice, ShowNotice } from './notice.ts'
import type { Programs } from './programs.ts'

export const createLinuxNotice =
  (environment: Readonly<Record<string, string | undefined>>, programs: Programs): ShowNotice =>
  async (notice, signal) => {
    const contents = {
      input: encodeNotice(notice),
      getArguments: (kind: keyof typeof createArguments) => createArguments[kind](notice),
    }
    const end = await showWindow(environment, programs, (program) =>
      runProgram(programs, program, contents, signal),
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
