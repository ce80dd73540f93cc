/** PINs that users type at the pads of readers: a notice says where, in its turn among all dialogs, while the card waits for it. */
import { Problem, type ProblemName } from '@cardwire/protocol/problem'
import type { ShowNotice } from '../../system/desktop/notice.ts'
import type { AskForAttempt } from './confirm-attempt.ts'
import type { DialogEnd, PausedDialogs } from './paused-dialogs.ts'
import { refusals } from './pin-refusals.ts'
import type { PinRefusal, PinRequest, UsePad } from './pin-request.ts'
import { describePad, findTexts } from './pin-texts.ts'

export interface PadServiceOptions {
  readonly showNotice: ShowNotice
  readonly askForAttempt: AskForAttempt
  readonly dialogs: PausedDialogs
  /** The user's language, a tag of BCP 47. */
  readonly language: string
}

type PadAnswer<T> = { readonly result: T } | { readonly error: unknown }

export function createPadService(options: PadServiceOptions): UsePad {
  const { dialogs } = options
  return async (request, operation) => {
    const key = request.origin
    const retryAfterS = dialogs.findPauseS(key)
    if (retryAfterS !== undefined) throw toProblem({ ...refusals.cancelled, retryAfterS })
    const answer = await dialogs.show({
      key,
      request,
      show: (signal) =>
        confirmAndShow(options, request, signal, operation).then(
          (result) => ({ result }),
          (error: unknown) => ({ error }),
        ),
      readEnd: readPadEnd,
    })
    if (answer === 'busy') throw toProblem(refusals.busy)
    if (answer === 'late') throw toEnd(request)
    if ('error' in answer) throw answer.error
    return answer.result
  }
}

/** Asks first where one more attempt needs a confirmation. */
async function confirmAndShow<T>(
  { showNotice, askForAttempt, language }: PadServiceOptions,
  request: PinRequest,
  signal: AbortSignal,
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const confirmation = request.findConfirmation?.()
  if (confirmation) {
    const decision = await askForAttempt(request, confirmation, signal)
    if (decision === 'late') throw toEnd(request)
    if (decision !== 'accepted') throw toProblem(refusals[decision])
  }
  const texts = findTexts(request.language, language)
  const notice = { title: 'Cardwire', text: describePad(request, texts), cancel: texts.cancel }
  const show = (closed: AbortSignal) => showNotice(notice, closed)
  return showWhile(show, request, signal, operation)
}

/** The operation ends with the notice that the user cancels; the notice ends with the operation. */
async function showWhile<T>(
  show: (signal: AbortSignal) => ReturnType<ShowNotice>,
  request: PinRequest,
  signal: AbortSignal,
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const done = new AbortController()
  const endLate = () => ended.abort(toEnd(request))
  signal.addEventListener('abort', endLate)
  if (signal.aborted) endLate()
  const shown = show(AbortSignal.any([signal, done.signal])).then((end) => {
    if (end === 'cancelled' || end === 'unavailable') ended.abort(toProblem(refusals[end]))
  })
  try {
    return await operation(ended.signal)
  } finally {
    signal.removeEventListener('abort', endLate)
    done.abort()
    await shown
  }
}

/** What the card says about the PIN is for the caller to judge. */
const readPadEnd = (answer: PadAnswer<unknown>): DialogEnd => {
  const isEnd = 'error' in answer && answer.error instanceof Problem
  return isEnd && userEnds.has(answer.error.name) ? 'refused' : 'undecided'
}

const userEnds: ReadonlySet<ProblemName> = new Set(['pin-cancelled', 'pin-timeout'])

const toProblem = ({ problem, reason, retryAfterS }: PinRefusal) =>
  new Problem(problem, reason, retryAfterS === undefined ? {} : { retryAfterS })

/** Why the request is over: what it depends on has gone, or its time. */
const toEnd = ({ signal }: PinRequest): Problem =>
  signal.reason instanceof Problem ? signal.reason : toProblem(refusals.timeout)
