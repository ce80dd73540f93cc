/** Asks for a secret on Linux: by a graphical pinentry, else by zenity or kdialog. */
import { encodeDialog, readDialog } from './assuan.ts'
import { toRichText } from './linux-dialog.ts'
import type { Outcome, Programs } from './programs.ts'
import {
  type AskSecret,
  maxSecretOutput,
  type SecretAnswer,
  type SecretQuestion,
  takeLine,
} from './secret-entry.ts'

/**
 * Programs in the order in which they are tried. A pinentry reads all texts from standard input; zenity and kdialog have them
 * as arguments, which every account of the machine can read.
 */
const gnomeFirst = [
  'pinentry-gnome3',
  'pinentry-gtk-2',
  'pinentry-qt',
  'pinentry-qt5',
  'pinentry-fltk',
  'pinentry-x11',
  'pinentry',
  'zenity',
  'kdialog',
] as const
const kdeFirst = ['pinentry-qt', 'pinentry-qt5', ...gnomeFirst] as const

export const createLinuxSecretEntry =
  (environment: Readonly<Record<string, string | undefined>>, programs: Programs): AskSecret =>
  async (question, signal) => {
    const isKde = (environment['XDG_CURRENT_DESKTOP'] ?? '').split(':').includes('KDE')
    for (const name of isKde ? kdeFirst : gnomeFirst) {
      const program = programs.find(name)
      if (program === undefined) continue
      const read = name.startsWith('pinentry') ? askPinentry : askWindow[name as WindowProgram]
      const answer = await read(programs, program, question, signal)
      // A pinentry of the terminal, or one without its service: another may show a window.
      if (answer.kind !== 'unavailable') return answer
    }
    return { kind: 'unavailable' }
  }

type Ask = (
  programs: Programs,
  program: string,
  question: SecretQuestion,
  signal: AbortSignal,
) => Promise<SecretAnswer>

const askPinentry: Ask = async (programs, program, question, signal) => {
  const outcome = await programs.run(program, [], {
    signal,
    maxBytes: maxSecretOutput,
    input: encodeDialog(question),
  })
  return outcome.kind === 'ended' ? readDialog(outcome.output) : toAnswer(outcome)
}

type WindowProgram = 'zenity' | 'kdialog'

const withError = ({ text, error }: SecretQuestion) => (error ? `${error}\n\n${text}` : text)

const askWindow: Readonly<Record<WindowProgram, Ask>> = {
  zenity: async (programs, program, question, signal) => {
    const args = ['--entry', '--hide-text', '--width=480', `--title=${question.title}`]
    const labels = [`--ok-label=${question.submit}`, `--cancel-label=${question.cancel}`]
    const text = `--text=${withError(question)}\n\n${question.prompt}`
    return readWindow(await programs.run(program, [...args, ...labels, text], toOrder(signal)))
  },
  kdialog: async (programs, program, question, signal) => {
    const args = [
      '--title',
      question.title,
      '--password',
      toRichText(`${withError(question)}\n\n${question.prompt}`),
    ]
    return readWindow(await programs.run(program, args, toOrder(signal)))
  },
}

const toOrder = (signal: AbortSignal) => ({ signal, maxBytes: maxSecretOutput })

/** The cancel button, and the window's own close button; without a display GTK ends with 1 too. */
function readWindow(outcome: Outcome): SecretAnswer {
  if (outcome.kind !== 'ended') return toAnswer(outcome)
  if (/cannot open display|could not connect to display/i.test(outcome.errors)) {
    return { kind: 'unavailable' }
  }
  if (outcome.status === 0) return { kind: 'entered', secret: takeLine(outcome.output) }
  return { kind: outcome.status === 1 ? 'cancelled' : 'unavailable' }
}

const toAnswer = ({ kind }: Outcome): SecretAnswer => ({
  kind: kind === 'late' ? 'late' : 'unavailable',
})
