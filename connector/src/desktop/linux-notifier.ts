/** Notifications of a freedesktop.org desktop, by notify-send or gdbus. */
import { limits, type Notifier } from './desktop.ts'
import type { Programs } from './programs.ts'

/** Arguments of each program; specifications.freedesktop.org/notification-spec, Notify. */
const createArguments = {
  // It reads backslashes in the body as escapes.
  'notify-send': (title: string, text: string) => [
    '--app-name=Cardwire',
    '--',
    title,
    escapeMarkup(text).replaceAll('\\', '\\\\'),
  ],
  gdbus: (title: string, text: string) => [
    ...['call', '--session', '--dest', 'org.freedesktop.Notifications'],
    ...['--object-path', '/org/freedesktop/Notifications'],
    ...['--method', 'org.freedesktop.Notifications.Notify', '--'],
    // Name, the one it replaces, icon; then actions, hints, and the desktop's own time to live.
    ...['"Cardwire"', '0', '""', quoteVariant(title), quoteVariant(escapeMarkup(text))],
    ...['[]', '{}', '-1'],
  ],
} as const

export function createLinuxNotifier(programs: Programs): Notifier {
  return {
    async show({ title, text }) {
      for (const tool of ['notify-send', 'gdbus'] as const) {
        const program = programs.find(tool)
        if (program === undefined) continue
        const signal = AbortSignal.timeout(limits.notificationMs)
        const outcome = await programs.run(program, createArguments[tool](title, text), { signal })
        return outcome.kind === 'ended' && outcome.status === 0
      }
      return false
    },
  }
}

/** Text inside the markup of a notification's body. */
const escapeMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A string in GVariant's text format, which knows every escape of JSON but the one of the slash, which JSON never writes. */
const quoteVariant = (text: string) => JSON.stringify(text)
