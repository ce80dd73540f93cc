/** Notifications of a freedesktop.org desktop, over its message bus. */
import { limits, type Notifier } from './desktop.ts'
import { callSessionBus } from './linux-session-bus.ts'

const notifications = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  interface: 'org.freedesktop.Notifications',
} as const

export const createLinuxNotifier = (
  environment: Readonly<Record<string, string | undefined>>,
): Notifier => ({
  async show({ title, text }) {
    // specifications.freedesktop.org/notification-spec, Notify.
    const call = {
      ...notifications,
      member: 'Notify',
      args: [
        ['s', 'Cardwire'],
        // The notification that it replaces, and the icon: none.
        ['u', 0],
        ['s', ''],
        ['s', title],
        ['s', escapeMarkup(text)],
        // Actions and hints: none; then the desktop's own time to live.
        ['as'],
        ['a{sv}'],
        ['i', -1],
      ],
    } as const
    try {
      const reply = await callSessionBus(
        environment,
        call,
        AbortSignal.timeout(limits.notificationMs),
      )
      // The number of the notification.
      return reply === 'u'
    } catch {
      return false
    }
  },
})

/** Text inside the markup of a notification's body. */
const escapeMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
