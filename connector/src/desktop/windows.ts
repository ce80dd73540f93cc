/** The desktop of Windows, by a helper that makes the calls. */
import { silentHolder } from './clipboard-text.ts'
import { type Clipboard, limits, type Notifier } from './desktop.ts'
import type { Ask, Open } from './dialog.ts'
import type { Helper } from './windows-helper.ts'

const reasons = {
  held: 'Cannot read the clipboard: another program keeps it open; copy the text again',
  failed:
    'Cannot read the clipboard: Windows refuses it; run the connector in the session of the person whose browser asks',
} as const

export const windowsClipboard = (helper: Helper): Clipboard => ({
  async read() {
    const report = await helper({ act: 'read' }, AbortSignal.timeout(limits.clipboardMs))
    if (report === undefined) return { kind: 'unavailable', reason: silentHolder }
    if (report.kind === 'text' || report.kind === 'empty') return report
    return { kind: 'unavailable', reason: reasons[report.kind === 'held' ? 'held' : 'failed'] }
  },
  async available() {
    const report = await helper({ act: 'look' }, AbortSignal.timeout(limits.clipboardMs))
    if (report === undefined) return silentHolder
    return report.kind === 'done' ? undefined : reasons[report.kind === 'held' ? 'held' : 'failed']
  },
})

export const windowsNotifier = (helper: Helper): Notifier => ({
  async show({ title, text }) {
    const order = { act: 'notify', title, text } as const
    return (await helper(order, AbortSignal.timeout(limits.notificationMs)))?.kind === 'done'
  },
})

export const windowsAsk =
  (helper: Helper): Ask =>
  async (question, signal) => {
    const report = await helper({ act: 'ask', ...question }, signal)
    if (report?.kind === 'pressed' || report?.kind === 'closed') return report.kind
    return signal.aborted ? 'closed' : 'unavailable'
  }

export const windowsOpen =
  (helper: Helper): Open =>
  async (url, signal) =>
    (await helper({ act: 'open', url }, signal))?.kind === 'done'
