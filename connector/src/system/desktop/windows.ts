/** The desktop of Windows, by a helper process that makes the calls. */
import { noReplyReason } from './clipboard-text.ts'
import { type Clipboard, limits, type Notifier } from './desktop.ts'
import type { OpenUrl, ShowPrompt } from './dialog.ts'
import type { ChooseFolder } from './folder-choice.ts'
import type { ShowNotice } from './notice.ts'
import type { AskQuestion } from './question.ts'
import type { AskSecret } from './secret-entry.ts'
import type { SendToHelper } from './windows-helper.ts'

const reasons = {
  held: 'Cannot read the clipboard: another program keeps it open; copy the text again',
  failed:
    'Cannot read the clipboard: Windows refuses it; run the connector in the session of the user whose browser asks',
} as const

/** First the helper has to start, which takes a second on a busy machine. The registry waits three for an agent. */
const readMs = 2 * limits.clipboardMs
/** A check of the user, for which no page waits. */
const lookMs = 10_000

export const createWindowsClipboard = (helper: SendToHelper): Clipboard => ({
  async read() {
    const response = await helper({ act: 'read' }, AbortSignal.timeout(readMs))
    if (response === undefined) return { kind: 'unavailable', reason: noReplyReason }
    if (response.kind === 'text' || response.kind === 'empty') return response
    return { kind: 'unavailable', reason: reasons[response.kind === 'held' ? 'held' : 'failed'] }
  },
  async findObstacle() {
    const response = await helper({ act: 'look' }, AbortSignal.timeout(lookMs))
    if (response === undefined) return noReplyReason
    return response.kind === 'done'
      ? undefined
      : reasons[response.kind === 'held' ? 'held' : 'failed']
  },
})

export const createWindowsNotifier = (helper: SendToHelper): Notifier => ({
  async show({ title, text }) {
    const request = { act: 'notify', title, text } as const
    return (await helper(request, AbortSignal.timeout(limits.notificationMs)))?.kind === 'done'
  },
})

export const createWindowsPrompt =
  (helper: SendToHelper): ShowPrompt =>
  async ({ title, text, button }, signal) => {
    const question = { title, text, ...(button && { button }) }
    const response = await helper({ act: 'ask', ...question }, signal)
    if (response?.kind === 'pressed' || response?.kind === 'closed') return response.kind
    return signal.aborted ? 'closed' : 'unavailable'
  }

/** Windows names the buttons OK, which closes the window alone, and Cancel. */
export const createWindowsNotice =
  (helper: SendToHelper): ShowNotice =>
  async ({ title, text }, signal) => {
    const response = await helper({ act: 'inform', title, text }, signal)
    if (response?.kind === 'pressed') return 'closed'
    if (response?.kind === 'closed') return 'cancelled'
    return signal.aborted ? 'late' : 'unavailable'
  }

export const createWindowsQuestion =
  (helper: SendToHelper): AskQuestion =>
  async ({ title, text }, signal) => {
    const response = await helper({ act: 'decide', title, text }, signal)
    if (response?.kind === 'pressed') return 'accepted'
    if (response?.kind === 'closed') return 'refused'
    return signal.aborted ? 'late' : 'unavailable'
  }

/** Windows names field and buttons in its own language. */
export const createWindowsSecretEntry =
  (helper: SendToHelper): AskSecret =>
  async ({ title, text, prompt, error }, signal) => {
    const message = error ? `${error}\n\n${text}` : text
    const reply = await helper({ act: 'enter', title, text: message, field: prompt }, signal)
    if (reply?.kind === 'entered' || reply?.kind === 'early') return reply
    if (reply?.kind === 'closed') return { kind: 'cancelled' }
    return { kind: signal.aborted ? 'late' : 'unavailable' }
  }

/** Begins where Windows does. */
export const createWindowsFolderChoice =
  (helper: SendToHelper): ChooseFolder =>
  async ({ title }, signal) => {
    const reply = await helper({ act: 'choose', title }, signal)
    if (reply?.kind !== 'chosen') return { kind: signal.aborted ? 'late' : 'unavailable' }
    return reply.path === '' ? { kind: 'cancelled' } : reply
  }

export const createWindowsOpener =
  (helper: SendToHelper): OpenUrl =>
  async (url, signal) =>
    (await helper({ act: 'open', url }, signal))?.kind === 'done'
