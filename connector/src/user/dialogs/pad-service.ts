/** PINs that persons type at the pads of readers: a notice says where, in its turn among all dialogs, while the card waits for it. */
import { Problem } from '@cardwire/client/protocol'
import type { ShowNotice } from '../../system/desktop/notice.ts'
import type { QueueDialog } from './dialog-queue.ts'
import type { PinRefusal, PinRequest, UsePad } from './pin-request.ts'
import { refusals } from './pin-service.ts'
import { describePad, findTexts } from './pin-texts.ts'

export interface PadServiceOptions {
  readonly showNotice: ShowNotice
  readonly queueDialog: QueueDialog
  /** The person's language, a tag of BCP 47. */
  readonly language: string
}

export function createPadService({ showNotice, queueDialog, language }: PadServiceOptions): UsePad {
  return async (request, operation) => {
    const answer = await queueDialog(request, async (signal) => ({
      result: await showWhile(request, signal, operation),
    }))
    if (answer === 'busy') throw toProblem(refusals.busy)
    if (answer === 'late') throw toEnd(request)
    return answer.result
  }

  /** The operation ends with the notice that the person cancels; the notice ends with the operation. */
  async function showWhile<T>(
    request: PinRequest,
    signal: AbortSignal,
    operation: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const texts = findTexts(request.language, language)
    const notice = { title: 'Cardwire', text: describePad(request, texts), cancel: texts.cancel }
    const ended = new AbortController()
    const done = new AbortController()
    const endLate = () => ended.abort(toEnd(request))
    signal.addEventListener('abort', endLate)
    if (signal.aborted) endLate()
    const shown = showNotice(notice, AbortSignal.any([signal, done.signal])).then((end) => {
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
}

const toProblem = ({ problem, reason }: PinRefusal) => new Problem(problem, reason)

/** Why the request is over: what it depends on has gone, or its time. */
const toEnd = ({ signal }: PinRequest): Problem =>
  signal.reason instanceof Problem ? signal.reason : toProblem(refusals.timeout)
