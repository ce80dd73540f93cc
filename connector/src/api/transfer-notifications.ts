/** Notifications of the desktop about files that a page has read or written. */
import type { Caller } from '../http/route-types.ts'
import { findCatalog } from '../languages/catalogs.ts'
import { backgroundClock } from '../system/clock.ts'
import type { ApiServices } from './api-services.ts'
import { requireOrigin } from './file-origin.ts'

export type NotificationServices = Pick<ApiServices, 'notifier'> & {
  readonly user: Pick<ApiServices['user'], 'language'>
}

/** A page that exchanges many files shows one notification of each kind in so many milliseconds: more would hide all others. */
const notificationPauseMs = 10_000

/** The request does not wait for it, and its answer says the same where no desktop shows it. */
export function createTransferNotifications({ notifier, user }: NotificationServices) {
  const { notifications } = findCatalog(user.language).dialogs
  const notified = new Set<string>()
  return (caller: Caller, act: 'fileRead' | 'fileWritten', name: string): void => {
    const origin = requireOrigin(caller)
    const key = `${origin} ${act}`
    if (notified.has(key)) return
    notified.add(key)
    backgroundClock.after(notificationPauseMs, () => notified.delete(key))
    void notifier.show({ title: 'Cardwire', text: notifications[act](origin, name) })
  }
}
