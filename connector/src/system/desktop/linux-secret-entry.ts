/** Asks for a secret on Linux: by a graphical pinentry, else by zenity or kdialog. */
import { encodeDialog, readDialog } from './assuan.ts'
import { rejectEarlySecret, type WindowClock } from './early-answers.ts'
import { toRichText } from './linux-dialog.ts'
import { findWindowPrograms, hasNoDisplay, type WindowProgram } from './linux-window-programs.ts'
import type { Outcome, Programs } from './programs.ts'
import {
  type AskSecret,
  maxSecretOutput,
  type SecretAnswer,
  type SecretQuestion,
  takeLine,
} from './secret-entry.ts'

export const createLinuxSecretEntry =
  (
    environment: Readonly<Record<string, string | undefined>>,
    programs: Programs,
    clock: WindowClock,
  ): AskSecret =>
  async (question, signal) => {
    for (const { kind, path } of findWindowPrograms(environment, programs)) {
      const answer = await rejectEarlySecret(clock, () =>
        askProgram[kind](programs, path, question, signal),
      )
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

const withError = ({ text, error }: SecretQuestion) => (error ? `${error}\n\n${text}` : text)

/** In the text of an entry, unlike those of questions and buttons, `_` marks a mnemonic and a backslash escapes (zenity, entry.c). */
const toEntryText = (text: string) => text.replaceAll(/[_\\]/g, '$&$&')

const askProgram: Readonly<Record<WindowProgram['kind'], Ask>> = {
  pinentry: askPinentry,
  zenity: async (programs, program, question, signal) => {
    const args = ['--entry', '--hide-text', '--width=480', `--title=${question.title}`]
    const labels = [`--ok-label=${question.submit}`, `--cancel-label=${question.cancel}`]
    const text = `--text=${toEntryText(`${withError(question)}\n\n${question.prompt}`)}`
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

/** Status 1: the cancel button, and the window's own close button. */
function readWindow(outcome: Outcome): SecretAnswer {
  if (outcome.kind !== 'ended') return toAnswer(outcome)
  const isShown = !hasNoDisplay(outcome.errors)
  if (isShown && outcome.status === 0) {
    return { kind: 'entered', secret: takeLine(outcome.output) }
  }
  outcome.output.fill(0)
  return { kind: isShown && outcome.status === 1 ? 'cancelled' : 'unavailable' }
}

const toAnswer = ({ kind }: Outcome): SecretAnswer => ({
  kind: kind === 'late' ? 'late' : 'unavailable',
})
