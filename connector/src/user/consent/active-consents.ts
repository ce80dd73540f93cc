/** The consents that hold now: finds them by origin or id, and reports when one ends. */
import type { Log } from '../../system/log.ts'
import type { ConsentStore, StoredConsent } from './consent-store.ts'

export interface ActiveConsents {
  /** As `ConsentStore.add`. */
  add(consent: StoredConsent, codeWordHash: Uint8Array): void
  /** Whether this consent is active; one that the user gives after its end is another. */
  isActive(id: string): boolean
  find(id: string): StoredConsent | undefined
  /** The active consent of this origin that expires last. */
  findLatest(origin: string): StoredConsent | undefined
  /**
   * Calls back with the id of each consent that has ended, by expiry or through another process; about a second later at
   * most. Returns a function that unsubscribes.
   */
  onEnd(listener: (id: string) => void): () => void
  stop(): void
}

/** How far the clock may go back after a consent was granted, in milliseconds. */
const maxEarlyMs = 86_400_000
/** How often the database is checked while there are listeners, in milliseconds: one number that SQLite has in memory. */
const pollMs = 1000
/** And without listeners: what expires is ended for good, so that setting the clock back revives nothing. */
const idlePollMs = 3_600_000

export function createActiveConsents(
  store: ConsentStore,
  clock: () => number,
  log: Pick<Log, 'info' | 'error'>,
  /** Whether the clock may end consents for good; until it may, what it says has expired does not hold. */
  isClockTrusted: () => boolean = () => true,
): ActiveConsents {
  const listeners = new Set<(id: string) => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let dataVersion = store.readDataVersion()
  /** Origins by the ids of their consents. */
  let active = readActive()

  /** A consent from the future was given under a wrong clock: it would hold for too long. */
  function isWithinTime({ issuedAt, expiresAt }: StoredConsent): boolean {
    const now = clock()
    return now < expiresAt && issuedAt - now <= maxEarlyMs
  }

  function readActive(): Map<string, string> {
    const found = store.list().filter(isWithinTime)
    return new Map(found.map(({ id, origin }) => [id, origin]))
  }

  function refresh(): void {
    const before = active
    try {
      const now = clock()
      const newVersion = store.readDataVersion()
      const hasExpired = (store.nextExpiry() ?? Number.POSITIVE_INFINITY) <= now
      if (!hasExpired && newVersion === dataVersion) return
      if (hasExpired && isClockTrusted()) store.endExpired(now)
      active = readActive()
      dataVersion = newVersion
    } catch (error) {
      // An expired consent does not hold, recorded or not; a disk that is full now may have room at the next refresh.
      log.error('end of consents not recorded', { reason: String(error) })
    }
    for (const [id, origin] of before) {
      if (active.has(id)) continue
      log.info('consent ended', { origin })
      for (const listener of listeners) listener(id)
    }
  }
  refresh()

  /** The clock is read each time: a timer cannot last 365 days, and does not notice that the machine slept. */
  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        refresh()
        schedule()
      },
      listeners.size > 0 ? pollMs : idlePollMs,
    )
    timer.unref()
  }
  schedule()

  const ifActive = (consent: StoredConsent | undefined) => {
    if (consent === undefined) return undefined
    if (isWithinTime(consent)) return consent
    refresh()
    return undefined
  }
  return {
    add(consent, codeWordHash) {
      store.add(consent, codeWordHash)
      active.set(consent.id, consent.origin)
    },
    isActive: (id) => ifActive(store.find(id)) !== undefined,
    find: (id) => ifActive(store.find(id)),
    findLatest: (origin) => ifActive(store.findLatest(origin)),
    onEnd(listener) {
      // The new listener is not told of what has ended before.
      if (listeners.size === 0) refresh()
      listeners.add(listener)
      if (listeners.size === 1) schedule()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) schedule()
      }
    },
    stop: () => clearTimeout(timer),
  }
}
