/** Asks users for a folder: they choose it in a window that names the origin, and confirm it in one that says what that allows. */
import type { ChooseFolder } from '../../system/desktop/folder-choice.ts'
import type { AskQuestion } from '../../system/desktop/question.ts'
import type { QueueDialog } from './dialog-queue.ts'
import type { AskForFolder, FolderRefusal, FolderRequest } from './folder-request.ts'
import { describeFolders } from './folder-texts.ts'
import { createPausedDialogs, type DialogEnd } from './paused-dialogs.ts'
import { createRefusalPauses } from './refusal-pauses.ts'

export interface FolderServiceOptions {
  readonly chooseFolder: ChooseFolder
  readonly askQuestion: AskQuestion
  readonly queueDialog: QueueDialog
  /** The user's language, a tag of BCP 47. */
  readonly language: string
  /** Milliseconds; never set back. */
  readonly clock: () => number
  /** The folder in which the window begins: that of the segments below the user's, or the user's. */
  readonly findStart: (segments: readonly string[]) => Promise<string>
  /** The folder without links; undefined: no page may have it. */
  readonly judgeFolder: (path: string) => Promise<string | undefined>
}

const refused = {
  problem: 'file-type-refused',
  reason: 'Cannot create the type: the user has not chosen a folder',
} as const satisfies FolderRefusal
const busy = {
  problem: 'pin-busy',
  reason: 'Cannot ask: the user is being asked for this page already; wait for that',
} as const satisfies FolderRefusal
const unavailable = {
  problem: 'dialog-unavailable',
  reason: 'Cannot ask the user: no window can be shown here; on Linux install zenity or kdialog',
} as const satisfies FolderRefusal

type Answer = { readonly path: string } | 'refused' | 'late' | 'unavailable'

export function createFolderService(options: FolderServiceOptions): AskForFolder {
  const { queueDialog, clock } = options
  const dialogs = createPausedDialogs(queueDialog, createRefusalPauses(clock))

  return async (request) => {
    const retryAfterS = dialogs.findPauseS(request.origin)
    if (retryAfterS !== undefined) return { ...refused, retryAfterS }
    const answer = await dialogs.show({
      key: request.origin,
      request,
      show: (closed) => choose(options, request, closed),
      readEnd,
    })
    if (answer === 'busy') return busy
    if (answer === 'unavailable') return unavailable
    return typeof answer === 'object' ? answer : refused
  }
}

const readEnd = (answer: Answer): DialogEnd => {
  if (typeof answer === 'object') return 'accepted'
  return answer === 'unavailable' ? 'undecided' : 'refused'
}

/** Until a folder is chosen that a page may have, or the user gives up. */
async function choose(
  { chooseFolder, askQuestion, language, findStart, judgeFolder }: FolderServiceOptions,
  { origin, start }: FolderRequest,
  closed: AbortSignal,
): Promise<Answer> {
  const texts = describeFolders(origin, language)
  const begin = await findStart(start)
  for (;;) {
    const choice = await chooseFolder({ title: texts.title, start: begin, language }, closed)
    if (choice.kind !== 'chosen') return choice.kind === 'cancelled' ? 'refused' : choice.kind
    const path = await judgeFolder(choice.path)
    const question = path === undefined ? texts.retry(choice.path) : texts.confirm(path)
    const decision = await askQuestion(question, closed)
    if (decision !== 'accepted') return decision
    if (path !== undefined) return { path }
  }
}
