/** Asks a question on Linux: by a graphical pinentry, else by zenity or kdialog. */
import { encodeQuestion, readDecision } from './assuan.ts'
import { rejectEarlyDecision, type WindowClock } from './early-answers.ts'
import { toRichText } from './linux-dialog.ts'
import { findWindowPrograms, hasNoDisplay, type WindowProgram } from './linux-window-programs.ts'
import type { Programs } from './programs.ts'
import type { AskQuestion, Decision, Question } from './question.ts'

/** Bytes that a pinentry writes: two short lines for each command. */
const maxOutput = 4096

export const createLinuxQuestion =
  (
    environment: Readonly<Record<string, string | undefined>>,
    programs: Programs,
    clock: WindowClock,
  ): AskQuestion =>
  (question, signal) => {
    const contents = {
      input: encodeQuestion(question),
      getArguments: (kind: keyof typeof createArguments) => createArguments[kind](question),
    }
    return showWindow(environment, programs, (program) =>
      rejectEarlyDecision(clock, () => runProgram(programs, program, contents, signal)),
    )
  }

/** What each kind of program is given: a pinentry its standard input, the others their arguments. */
export interface WindowContents {
  readonly input: string
  readonly getArguments: (kind: Exclude<WindowProgram['kind'], 'pinentry'>) => readonly string[]
}

/** Shows a window by the first program that can. */
export async function showWindow(
  environment: Readonly<Record<string, string | undefined>>,
  programs: Programs,
  show: (program: WindowProgram) => Promise<Decision>,
): Promise<Decision> {
  for (const program of findWindowPrograms(environment, programs)) {
    const decision = await show(program)
    // A pinentry of the terminal, or one without its service: another may show a window.
    if (decision !== 'unavailable') return decision
  }
  return 'unavailable'
}

/** A window without a field. */
export async function runProgram(
  programs: Programs,
  { kind, path }: WindowProgram,
  { input, getArguments }: WindowContents,
  signal: AbortSignal,
): Promise<Decision> {
  const outcome =
    kind === 'pinentry'
      ? await programs.run(path, [], { signal, maxBytes: maxOutput, input })
      : await programs.run(path, getArguments(kind), { signal, variables: { LANGUAGE: 'en' } })
  if (outcome.kind !== 'ended') return outcome.kind === 'late' ? 'late' : 'unavailable'
  if (kind === 'pinentry') return readDecision(outcome.output)
  if (hasNoDisplay(outcome.errors)) return 'unavailable'
  return decisions.get(outcome.status) ?? 'unavailable'
}

/** Whoever types on while the window opens must not agree by that: where a program lets us choose, the button that refuses has the focus. */
const createArguments = {
  zenity: ({ title, text, accept, refuse }: Question) => [
    ...['--question', '--no-markup', '--default-cancel', '--width=480'],
    ...[`--title=${title}`, `--text=${text}`],
    ...[`--ok-label=${accept.replaceAll('_', '__')}`],
    ...[`--cancel-label=${refuse.replaceAll('_', '__')}`],
  ],
  kdialog: ({ title, text, accept, refuse }: Question) => [
    ...['--title', title, '--warningyesno', toRichText(text)],
    ...['--yes-label', accept.replaceAll('&', '&&'), '--no-label', refuse.replaceAll('&', '&&')],
  ],
} as const

/** By exit status; the last is that of kdialog for a closed window. */
const decisions: ReadonlyMap<number, Decision> = new Map([
  [0, 'accepted'],
  [1, 'refused'],
  [2, 'refused'],
])
