/** Opens the desk of this user's API: over the state database, and the desktop of the person. */
import type { Database } from 'bun:sqlite'
import type { Desktop } from '../desktop/desktop.ts'
import type { Log } from '../system/log.ts'
import type { Maker } from './form.ts'
import { type LastingConsents, lastingConsents } from './lasting.ts'
import { type OwnDesk, ownDesk } from './own-desk.ts'
import { consentStore } from './store.ts'

export interface OwnDeskPlace extends Omit<Maker, 'agentId' | 'key'> {
  readonly database: Database
  readonly desktop: Pick<Desktop, 'clipboard' | 'notifier'>
  readonly allowlist: () => readonly string[]
  readonly log: Log
}

export interface OpenOwnDesk {
  readonly desk: OwnDesk
  readonly consents: LastingConsents
  stop(): void
}

export function openOwnDesk(place: OwnDeskPlace): OpenOwnDesk {
  const { database, desktop, allowlist, log, ...self } = place
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
    stop: consents.stop,
  }
}
