/** Opens the desk of this user's API: the state database, and the desktop of the person. */
import type { Desktop } from '../desktop/desktop.ts'
import { openState } from '../state/database.ts'
import type { Log } from '../system/log.ts'
import type { Maker } from './form.ts'
import { type LastingConsents, lastingConsents } from './lasting.ts'
import { type OwnDesk, ownDesk } from './own-desk.ts'
import { consentStore } from './store.ts'

export interface OwnDeskPlace extends Omit<Maker, 'agentId' | 'key'> {
  /** The folder of the state database. */
  readonly runtime: string
  readonly desktop: Pick<Desktop, 'clipboard' | 'notifier'>
  readonly allowlist: () => readonly string[]
  readonly log: Log
}

export interface OpenOwnDesk {
  readonly desk: OwnDesk
  readonly consents: LastingConsents
  close(): void
}

/** Throws when the state database can be neither opened nor made. */
export function openOwnDesk(place: OwnDeskPlace): OpenOwnDesk {
  const { runtime, desktop, allowlist, log, ...self } = place
  const database = openState(runtime, log)
  const store = consentStore(database)
  const consents = lastingConsents(store, Date.now, log)
  const desk = ownDesk({
    maker: { ...self, agentId: store.agentId, key: store.key },
    store,
    lasting: consents,
    clipboard: desktop.clipboard,
    notifier: desktop.notifier,
    log,
    clock: Date.now,
    allowlist,
  })
  return {
    desk,
    consents,
    close() {
      consents.stop()
      database.close()
    },
  }
}
