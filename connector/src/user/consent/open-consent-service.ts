/** Opens the consent service of this user's API, over the state database and the desktop of the user. */
import type { Database } from 'bun:sqlite'
import type { CardFolder } from '@cardwire/protocol/card-settings'
import type { Desktop } from '../../system/desktop/desktop.ts'
import type { Log } from '../../system/log.ts'
import { namesOwners } from '../../system/open-peer-owner.ts'
import { type ActiveConsents, createActiveConsents } from './active-consents.ts'
import {
  type ClipboardConsentService,
  createClipboardConsentService,
} from './clipboard-consent-service.ts'
import type { RequestLimits } from './consent-service.ts'
import { createConsentStore } from './consent-store.ts'
import type { ConsentIssuer } from './consent-token.ts'
import { createFileTypes, type FileTypes } from './file-types.ts'
import { createIdentityPermissions, type IdentityPermissions } from './identity-permissions.ts'

export interface ConsentServiceOptions extends Omit<ConsentIssuer, 'agentId' | 'key'> {
  readonly database: Database
  readonly desktop: Pick<Desktop, 'clipboard' | 'notifier'>
  readonly allowlist: () => readonly string[]
  /** The folders that pages have from the administrator. */
  readonly folders: () => readonly CardFolder[]
  /** Whether the clock may end consents for good. */
  readonly isClockTrusted: () => boolean
  readonly log: Log
  readonly consentRequests: RequestLimits
  /** The user's, a tag of BCP 47. */
  readonly language: string
}

export interface OpenConsentService {
  readonly consentService: ClipboardConsentService
  readonly activeConsents: ActiveConsents
  readonly identityPermissions: IdentityPermissions
  readonly fileTypes: FileTypes
  stop(): void
}

export function openConsentService(options: ConsentServiceOptions): OpenConsentService {
  const { database, desktop, allowlist, folders, isClockTrusted, log, ...others } = options
  const { consentRequests, language, ...connector } = others
  const store = createConsentStore(database)
  const activeConsents = createActiveConsents(store, Date.now, log, isClockTrusted)
  const consentService = createClipboardConsentService({
    issuer: { ...connector, agentId: store.agentId, key: store.key },
    store,
    activeConsents,
    clipboard: desktop.clipboard,
    notifier: desktop.notifier,
    log,
    clock: Date.now,
    ...{ allowlist, consentRequests, language, namesOwners },
  })
  const identityPermissions = createIdentityPermissions(database, activeConsents)
  const fileTypes = createFileTypes(database, activeConsents, folders)
  return {
    ...{ consentService, activeConsents, identityPermissions, fileTypes },
    stop: activeConsents.stop,
  }
}
