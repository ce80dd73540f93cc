/** Runs the API of this user: it listens first, slow work follows. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificates } from '../certificates/certificates.ts'
import { openServedCertificates } from '../certificates/served-certificates.ts'
import type { Distribution } from '../distribution/distribution.ts'
import type { KeystoreSource } from '../distribution/keystore/keystore-file.ts'
import type { TokenAuthority } from '../distribution/token-authority.ts'
import type { FileExchange } from '../files/file-exchange.ts'
import type { Printers } from '../files/printing/printers.ts'
import { readCertificate } from '../pki/certificate.ts'
import type { CardAccess } from '../sandbox/readers/card-access.ts'
import type { TokenReaders } from '../sandbox/readers/token-readers.ts'
import type { KeyStore } from '../sandbox/windows-keys/key-store.ts'
import type { Settings } from '../settings.ts'
import { limitConnections } from '../system/connection-limit.ts'
import type { Notifier } from '../system/desktop/desktop.ts'
import type { Folders } from '../system/folders.ts'
import type { Log } from '../system/log.ts'
import { openPeerOwner } from '../system/open-peer-owner.ts'
import { type HttpsServer, listen } from '../system/server.ts'
import type { User } from '../system/user.ts'
import type { ConsentService } from '../user/consent/consent-service.ts'
import type { FileTypes } from '../user/consent/file-types.ts'
import type { GrantedAids, HasGrant } from '../user/consent/grants.ts'
import type { IdentityPermissions } from '../user/consent/identity-permissions.ts'
import type { AskForFolder } from '../user/dialogs/folder-request.ts'
import type { AskForIdentity } from '../user/dialogs/identity-request.ts'
import type { AskForKeyUse } from '../user/dialogs/key-request.ts'
import type { RequestPin, UsePad } from '../user/dialogs/pin-request.ts'
import { version } from '../version.ts'
import type { Consents, ProgramInfo, RegistryState } from './api-services.ts'
import { createApi } from './app.ts'
import type { AtrListing } from './cards/atr-listing.ts'
import type { Cards } from './cards/cards.ts'
import type { Counters } from './counters/counters.ts'
import type { Modules } from './modules/modules.ts'
import { type Certify, openPageKey } from './page-key.ts'
import { logPortOutsideRange } from './port-range.ts'
import { createTokenVerifier } from './token-verifier.ts'

export interface ApiParts {
  readonly settings: Settings
  readonly folders: Folders
  readonly log: Log
  readonly program: ProgramInfo
  readonly user: User
  readonly certificates: Certificates
  /** undefined: without a distribution service there is none. */
  readonly keystore: KeystoreSource | undefined
  /** Calls back when the clock has jumped, or is right again: certificates may have to be renewed. */
  readonly onClockChange: (listener: () => void) => void
  readonly readers: TokenReaders
  readonly cardAccess: CardAccess
  readonly requestPin: RequestPin
  readonly usePad: UsePad | undefined
  readonly askForIdentity: AskForIdentity
  readonly identityPermissions: IdentityPermissions
  readonly fileTypes: FileTypes
  readonly askForFolder: AskForFolder
  readonly fileExchange: FileExchange
  readonly printers: Printers
  /** undefined: this system keeps no keys that pages use. */
  readonly keyStore: KeyStore | undefined
  /** Asks the person whether a page may use one of them. */
  readonly askForKeyUse: AskForKeyUse
  readonly notifier: Notifier
  readonly hasGrant: HasGrant
  readonly grantedAids: GrantedAids
  readonly onGrants: (listener: () => void) => () => void
  readonly cards: Cards
  readonly atrs: AtrListing
  readonly modules: Modules
  readonly counters: Counters
  readonly consents: Consents
  readonly consentService: ConsentService
  readonly registry: () => RegistryState
  /** The origins whose pages are answered. */
  readonly allowlist: () => readonly string[]
  readonly onAllowlist: (listener: () => void) => () => void
  /** Whose tokens are accepted. */
  readonly authority: TokenAuthority
  readonly distribution: Distribution | undefined
  readonly certify: Certify
  /** Ends the connector. */
  readonly stop: () => void
}

export interface RunningApi {
  readonly port: number
  /** SPKI, PEM. */
  readonly pageKey: string
  stop(): Promise<void>
}

/** The files of the runtime folder by which programs of this user find the API while it runs. */
export const runtimeFiles = { token: 'management-token', port: 'api-port' }

/** Connections: other accounts get a refusal, and the memory of no more. */
const connectionLimit = { own: Number.POSITIVE_INFINITY, other: 16, others: 64 }

/** How often the leaf's end is checked, in milliseconds: it is renewed weeks before. */
const renewalCheckMs = 86_400_000

/** Throws without a certificate, and when no port is free. */
export async function runApi(parts: ApiParts): Promise<RunningApi> {
  const { settings, folders, log, user, certificates, keystore } = parts
  const { readers, cards, modules, counters } = parts
  const { consents, consentService, registry, allowlist, onAllowlist, authority, distribution } =
    parts
  mkdirSync(folders.runtime, { recursive: true, mode: 0o700 })
  chmodSync(folders.runtime, 0o700)
  const showing = await openServedCertificates({
    certificates: settings.localCa ? certificates : undefined,
    keystore,
    namesIn: (pem) => readCertificate(pem).names,
    log,
  })
  const managementToken = randomBytes(32).toString('base64url')
  const pageKey = await openPageKey({
    runtime: folders.runtime,
    certify: parts.certify,
    log,
  })
  const app = createApi({
    settings,
    version,
    log,
    program: parts.program,
    clock: Date.now,
    readers,
    cardAccess: parts.cardAccess,
    requestPin: parts.requestPin,
    usePad: parts.usePad,
    askForIdentity: parts.askForIdentity,
    identityPermissions: parts.identityPermissions,
    fileTypes: parts.fileTypes,
    askForFolder: parts.askForFolder,
    fileExchange: parts.fileExchange,
    printers: parts.printers,
    keyStore: parts.keyStore,
    askForKeyUse: parts.askForKeyUse,
    notifier: parts.notifier,
    hasGrant: parts.hasGrant,
    grantedAids: parts.grantedAids,
    onGrants: parts.onGrants,
    cards,
    atrs: parts.atrs,
    modules,
    counters,
    certificates,
    pageKey,
    tokens: createTokenVerifier(settings.jwtRequired, authority, Date.now),
    consents,
    consentService,
    registry,
    managementToken,
    ownerOf: openPeerOwner(),
    user,
    // Read for each request, because the certificates can change.
    names: () => showing.current().names,
    allowlist,
    onAllowlist,
    isPolicyExpired: () => distribution?.isPolicyExpired() ?? false,
    distribution,
    stop: parts.stop,
  })
  const server: HttpsServer = listen(
    settings.apiPorts,
    showing.current().certificates,
    (request, connection) => app.fetch(request, connection),
  )
  const stopLimit = limitConnections({ port: server.port, limit: connectionLimit, log })
  const unsubscribe = showing.onChange(({ certificates, names }) => {
    log.info('certificates replaced', { names: [...names].join(' ') })
    server.replaceCertificates(certificates)
  })
  const renew = () => {
    Promise.all([showing.renew(), pageKey.renewCertificate()]).catch((error) =>
      log.error('certificate not renewed', { reason: String(error) }),
    )
  }
  const renewal = setInterval(renew, renewalCheckMs)
  renewal.unref()
  parts.onClockChange(renew)
  writeRuntimeFile(join(folders.runtime, runtimeFiles.token), managementToken)
  writeRuntimeFile(join(folders.runtime, runtimeFiles.port), String(server.port))
  log.info(`listening on port ${server.port}`, { port: server.port, version })
  void logPortOutsideRange(server.port, settings.apiPorts, log)
  return {
    port: server.port,
    pageKey: pageKey.publicKey,
    async stop() {
      unsubscribe()
      stopLimit()
      clearInterval(renewal)
      for (const name of Object.values(runtimeFiles)) {
        rmSync(join(folders.runtime, name), { force: true })
      }
      await server.stop()
    },
  }
}

function writeRuntimeFile(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 })
  // The mode above applies only to a new file.
  chmodSync(path, 0o600)
}
