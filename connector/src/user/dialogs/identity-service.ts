/** Asks users whether a page may read the identity data of cards: one question for the calls of a page, in its turn among all dialogs. */
import type { AskQuestion } from '../../system/desktop/question.ts'
import { type QueueDialog, whenAborted } from './dialog-queue.ts'
import type { AskForIdentity, IdentityRefusal, IdentityRequest } from './identity-request.ts'
import { describeIdentity } from './identity-texts.ts'
import { createPausedDialogs, readDecisionEnd } from './paused-dialogs.ts'
import { createRefusalPauses } from './refusal-pauses.ts'

/** Milliseconds that the user has, waiting for other dialogs included. */
const timeoutMs = 120_000

/** Calls that wait for one answer: pages read three parts at once. */
const maxCalls = 8

export interface IdentityServiceOptions {
  readonly askQuestion: AskQuestion
  readonly queueDialog: QueueDialog
  /** The user's language, a tag of BCP 47. */
  readonly language: string
  /** Milliseconds; never set back. */
  readonly clock: () => number
}

type Answer = 'accepted' | IdentityRefusal

interface OpenQuestion {
  readonly answer: Promise<Answer>
  /** Closes the window when no call waits for it any more. */
  readonly withdrawal: AbortController
  calls: number
}

const refused = {
  problem: 'identity-refused',
  reason: 'Cannot read the identity data: the user does not share them',
} as const satisfies IdentityRefusal
const unanswered = {
  problem: 'identity-refused',
  reason: 'Cannot read the identity data: the user did not respond in time',
} as const satisfies IdentityRefusal
const busy = {
  problem: 'pin-busy',
  reason: 'Cannot ask: the user is being asked for this page already; wait for that',
} as const satisfies IdentityRefusal
const unavailable = {
  problem: 'dialog-unavailable',
  reason:
    'Cannot ask the user: no window can be shown here; on Linux install a graphical pinentry, such as pinentry-gnome3 or pinentry-qt',
} as const satisfies IdentityRefusal

export function createIdentityService(options: IdentityServiceOptions): AskForIdentity {
  const { askQuestion, queueDialog, language, clock } = options
  const dialogs = createPausedDialogs(queueDialog, createRefusalPauses(clock))
  const open = new Map<string, OpenQuestion>()

  const findPause = (key: string): IdentityRefusal | undefined => {
    const retryAfterS = dialogs.findPauseS(key)
    return retryAfterS === undefined ? undefined : { ...refused, retryAfterS }
  }

  const ask = async (
    key: string,
    request: Omit<IdentityRequest, 'signal'>,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const decision = await dialogs.show({
      key,
      request: { origin: request.origin, timeoutMs, signal },
      show: (closed) => askQuestion(describeIdentity(request, language), closed),
      readEnd: readDecisionEnd,
    })
    if (decision === 'busy') return busy
    if (decision === 'unavailable') return unavailable
    if (signal.aborted || decision === 'late') return unanswered
    return decision === 'accepted' ? 'accepted' : refused
  }

  const start = (key: string, request: IdentityRequest): OpenQuestion => {
    const withdrawal = new AbortController()
    const answer = ask(key, request, withdrawal.signal).finally(() => open.delete(key))
    const question = { answer, withdrawal, calls: 0 }
    open.set(key, question)
    return question
  }

  /** Of pages: the answer for one call is the answer for those that come while the window is open. */
  const share = async (key: string, request: IdentityRequest): Promise<Answer> => {
    // One whose window is closing is over before the next begins.
    for (let found = open.get(key); found?.withdrawal.signal.aborted; found = open.get(key)) {
      await found.answer
    }
    const paused = findPause(key)
    if (paused) return paused
    const question = open.get(key) ?? start(key, request)
    if (question.calls === maxCalls) return busy
    question.calls += 1
    try {
      const withdrawn = whenAborted(request.signal).then(() => unanswered)
      return await Promise.race([question.answer, withdrawn])
    } finally {
      question.calls -= 1
      if (question.calls === 0) question.withdrawal.abort()
    }
  }

  return async (request) => {
    const { origin, module, signal } = request
    const key = JSON.stringify([origin ?? null, module])
    if (origin !== undefined) return share(key, request)
    // Programs cannot be told from each other: what is answered to one is not for another.
    return findPause(key) ?? ask(key, request, signal)
  }
}
