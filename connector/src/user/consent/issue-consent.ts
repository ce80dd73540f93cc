/** Issues one consent for each code word, and notifies the user of it. */
import { findCatalog } from '../../languages/catalogs.ts'
import type { Notifier } from '../../system/desktop/desktop.ts'
import type { Log } from '../../system/log.ts'
import type { ActiveConsents } from './active-consents.ts'
import { consentLimits } from './consent-service.ts'
import type { ConsentStore, StoredConsent } from './consent-store.ts'
import type { ConsentIssuer } from './consent-token.ts'
import { computeHmac } from './hmac.ts'

export interface IssuingServices {
  readonly issuer: ConsentIssuer
  readonly store: Pick<ConsentStore, 'findCodeWordUse'>
  readonly activeConsents: ActiveConsents
  readonly notifier: Notifier
  /** The user's, a tag of BCP 47. */
  readonly language: string
  readonly log: Log
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
}

const dayMs = 86_400_000

/** A request that is repeated soon gets the same consent; undefined: the code word was used for another one. */
export function issueOnce(
  services: IssuingServices,
  origin: string,
  days: number,
  codeWord: string,
): StoredConsent | undefined {
  const { issuer, store, activeConsents, log, clock } = services
  const codeWordHash = computeHmac(issuer.key, ['code word', codeWord])
  const now = clock()
  const use = store.findCodeWordUse(codeWordHash)
  if (use !== undefined) {
    const issued = activeConsents.find(use.consentId)
    const ageMs = now - use.usedAt
    const isRepeated =
      issued?.origin === origin &&
      issued.expiresAt - issued.issuedAt === days * dayMs &&
      ageMs >= 0 &&
      ageMs < consentLimits.repeatMs
    if (!isRepeated) log.warn('code word used before', { origin })
    return isRepeated ? issued : undefined
  }
  const consent: StoredConsent = {
    id: crypto.randomUUID(),
    origin,
    issuedAt: now,
    expiresAt: now + days * dayMs,
    usedAt: now,
  }
  activeConsents.add(consent, codeWordHash)
  log.info('consent granted', { origin, days })
  void notifyUser(services, origin)
  return consent
}

/** A page in focus can write to the clipboard by itself, so the user is notified of every origin that gets a consent. */
async function notifyUser(
  { notifier, language, log }: IssuingServices,
  origin: string,
): Promise<void> {
  const shown = await notifier.show({
    title: 'Cardwire',
    text: findCatalog(language).dialogs.notifications.consent(origin),
  })
  if (!shown) log.debug('no notification on the desktop', { origin })
}
