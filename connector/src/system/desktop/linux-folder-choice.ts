/** Has the user choose a folder on Linux, by zenity or kdialog. */
import {
  type ChooseFolder,
  type FolderQuestion,
  maxPathOutput,
  toFolderChoice,
} from './folder-choice.ts'
import { findWindowPrograms, hasNoDisplay } from './linux-window-programs.ts'
import type { Programs } from './programs.ts'

const createArguments = {
  // The slash at the end: the window begins in the folder, not beside it.
  zenity: ({ title, start }: FolderQuestion) => [
    ...['--file-selection', '--directory', `--title=${title}`, `--filename=${start}/`],
  ],
  kdialog: ({ title, start }: FolderQuestion) => [
    ...['--title', title, '--getexistingdirectory', start],
  ],
} as const

export const createLinuxFolderChoice =
  (environment: Readonly<Record<string, string | undefined>>, programs: Programs): ChooseFolder =>
  async (question, signal) => {
    for (const { kind, path } of findWindowPrograms(environment, programs)) {
      if (kind === 'pinentry') continue
      const outcome = await programs.run(path, createArguments[kind](question), {
        ...{ signal, maxBytes: maxPathOutput },
        // No error message that is compared is translated.
        variables: { LANGUAGE: question.language },
      })
      if (outcome.kind === 'late') return { kind: 'late' }
      if (outcome.kind !== 'ended' || hasNoDisplay(outcome.errors)) continue
      if (outcome.status === 0) return toFolderChoice(outcome.output)
      if (outcome.status === 1) return { kind: 'cancelled' }
    }
    return { kind: 'unavailable' }
  }
