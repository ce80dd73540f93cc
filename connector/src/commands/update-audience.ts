/** Whom an update informs and asks: a user at a terminal, or one at a desktop. */
import { createInterface } from 'node:readline/promises'
import { catalogs, findCatalog } from '../languages/catalogs.ts'
import type { Catalog } from '../languages/en/catalog.ts'
import type { Desktop } from '../system/desktop/desktop.ts'
import { createProgressBar, hasTerminal, print } from './terminal.ts'

/** A terminal has them in English. */
export type UpdateTexts = Catalog['dialogs']['update']

export interface Audience {
  /** Whether somebody is there who can be asked. */
  readonly isPresent: boolean
  readonly texts: UpdateTexts
  /** Whether the user has asked for this version by the button of a window. */
  readonly hasChosen: boolean
  /** One line. */
  printLine(line: string): void
  /** Whether the user agrees. `reason`: why there is a question, which the user was told. */
  ask(question: string, reason?: string): Promise<boolean>
  /** Says that a version is downloaded now. */
  announce(version: string): void
  /** Shows how far a download is. */
  readonly progress: ReturnType<typeof createProgressBar>
  /** Shows what is left to show. */
  end(): Promise<void>
}

export const createTerminalAudience = (): Audience => ({
  isPresent: hasTerminal(),
  texts: catalogs.en.dialogs.update,
  hasChosen: false,
  printLine: print,
  async ask(question) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    // Ctrl-C and the end of the input count as no.
    const answer = await Promise.race([
      terminal.question(`${question} [y/N] `),
      new Promise<string>((resolve) => terminal.once('close', () => resolve(''))),
    ])
    terminal.close()
    return /^y(es)?$/i.test(answer.trim())
  },
  announce: () => undefined,
  progress: createProgressBar(),
  end: async () => undefined,
})

/** Milliseconds for a question, and for the window with the result. */
const timeouts = { questionMs: 120_000, resultMs: 600_000 }

/** Windows show the beginning, questions, and the last line; the others go to where the output goes. */
export function createWindowAudience(
  desktop: Pick<Desktop, 'askQuestion' | 'notifier' | 'dialog'>,
  language: string,
): Audience {
  const { update: texts, cancel: refuse, close } = findCatalog(language).dialogs
  const { title, accept } = texts
  let last = ''
  return {
    isPresent: true,
    texts,
    hasChosen: true,
    printLine(line) {
      print(line)
      last = line
    },
    async ask(question, reason) {
      const signal = AbortSignal.timeout(timeouts.questionMs)
      const text = reason === undefined ? question : `${reason}. ${question}`
      return (await desktop.askQuestion({ title, text, accept, refuse }, signal)) === 'accepted'
    },
    announce(version) {
      void desktop.notifier.show({ title, text: texts.downloading(version) })
    },
    progress: { show: () => undefined, end: () => undefined },
    async end() {
      await desktop.dialog.show({ title, text: last, close }, timeouts.resultMs)
    },
  }
}
