/** What the API works with: the one list of it. */

import type { Certificates } from '../certificates/certificates.ts'
import type { Distribution, PolicyEnd } from '../distribution/distribution.ts'
import type { FileExchange } from '../files/file-exchange.ts'
import type { Printers } from '../files/printing/printers.ts'
import type { CardAccess } from '../sandbox/readers/card-access.ts'
import type { TokenReaders } from '../sandbox/readers/token-readers.ts'
import type { KeyStore } from '../sandbox/windows-keys/key-store.ts'
import type { Settings } from '../settings.ts'
import type { Notifier } from '../system/desktop/desktop.ts'
import type { Log } from '../system/log.ts'
import type { FindPeerOwner } from '../system/peer-owner.ts'
import type { User } from '../system/user.ts'
import type { ConsentService, RequestLimits } from '../user/consent/consent-service.ts'
import type { FileTypes } from '../user/consent/file-types.ts'
import type { GrantedAids, HasGrant } from '../user/consent/grants.ts'
import type { IdentityPermissions } from '../user/consent/identity-permissions.ts'
import type { AskForFolder } from '../user/dialogs/folder-request.ts'
import type { AskForIdentity } from '../user/dialogs/identity-request.ts'
import type { AskForKeyUse } from '../user/dialogs/key-request.ts'
import type { ConfirmAttempt, RequestPin, UsePad } from '../user/dialogs/pin-request.ts'
import type { RefusalPauses } from '../user/dialogs/refusal-pauses.ts'
import type { AtrListing } from './cards/atr-listing.ts'
import type { Cards } from './cards/cards.ts'
import type { Counters } from './counters/counters.ts'
import type { Modules } from './modules/modules.ts'

export interface ApiServices {
  readonly settings: Settings
  readonly version: string
  readonly log: Log
  readonly program: ProgramInfo
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
  readonly readers: TokenReaders
  /** Operations with the cards in them. */
  readonly cardAccess: Pick<CardAccess, 'run' | 'openRaw' | 'forgetPin'>
  /** Asks the user for a PIN. */
  readonly requestPin: RequestPin
  /** undefined: pads of readers are not used. */
  readonly usePad: UsePad | undefined
  /** Asks the user whether the last attempt may be made with a PIN that the page sent. */
  readonly confirmAttempt: ConfirmAttempt
  /** How long a page has to wait for a window for a PIN, by origin. */
  readonly pinPauses: Pick<RefusalPauses, 'recordRefusal' | 'forget'>
  /** Asks the user whether a page may read the identity data of cards. */
  readonly askForIdentity: AskForIdentity
  /** What the user has answered. */
  readonly identityPermissions: IdentityPermissions
  /** The folders that pages may use, by origin. */
  readonly fileTypes: FileTypes
  /** Asks the user for such a folder. */
  readonly askForFolder: AskForFolder
  readonly fileExchange: FileExchange
  readonly printers: Printers
  /** undefined: this system keeps no keys that pages use. */
  readonly keyStore: KeyStore | undefined
  /** Asks the user whether a page may use one of them. */
  readonly askForKeyUse: AskForKeyUse
  readonly notifier: Notifier
  /** What the administrator has granted to pages of an origin beyond what every page may do. */
  readonly hasGrant: HasGrant
  readonly grantedAids: GrantedAids
  /** Calls back whenever those may have changed. */
  readonly onGrants: (listener: () => void) => () => void
  readonly cards: Cards
  readonly atrs: AtrListing
  readonly modules: Modules
  readonly counters: Counters
  readonly certificates: Certificates
  readonly deviceEncryptionKey: DeviceEncryptionKey
  readonly tokens: TokenVerifier
  readonly consents: Consents
  /** Grants and validates consents. */
  readonly consentService: ConsentService
  readonly consentRequests: RequestLimits
  /** The state of the connection to the registry, through which pages find this API. */
  readonly registry: () => RegistryState
  /** The secret that programs of this user present. */
  readonly managementToken: string
  readonly ownerOf: FindPeerOwner
  readonly user: User
  /** The names in the served certificates, lower case. */
  readonly names: () => ReadonlySet<string>
  /** The origins whose pages are answered. */
  readonly allowlist: () => readonly string[]
  /** Calls back whenever that list has changed. */
  readonly onAllowlist: (listener: () => void) => () => void
  /** Why pages are refused until a synchronization succeeds; undefined: the policy of the service is in force. */
  readonly findPolicyEnd: () => PolicyEnd | undefined
  /** undefined: this connector has no distribution service. */
  readonly distribution: Distribution | undefined
  /** Ends the connector. */
  readonly stop: () => void
}

/** The program that runs. */
export interface ProgramInfo {
  /** Where it is installed. */
  readonly folder: string
  /** PROD: a built binary; DEV: run from the sources. */
  readonly environment: 'PROD' | 'DEV'
}

/** The RSA key that answers are signed with and PINs are encrypted to. */
export interface DeviceEncryptionKey {
  /** SPKI, PEM. */
  readonly publicKey: string
  readonly certificate: string
  readonly fingerprint: string
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the text, base64. */
  sign(text: string): string
  /** The block that was encrypted to this key, with its padding; zeros where there is none. The caller overwrites it. */
  decrypt(ciphertext: Uint8Array): Uint8Array
}

export interface TokenVerifier {
  /** false: pages need no token. */
  readonly required: boolean
  /** Resolves with the label of a valid token and its expiry, milliseconds since 1970; throws otherwise. */
  verify(token: string): Promise<{ readonly label: string; readonly expiresAt: number }>
}

/** The consents that the user has granted. */
export interface Consents {
  /** The active consent of this origin that expires last. */
  findLatest(origin: string): { readonly id: string } | undefined
  /** Whether this consent is active; one that the user gives after its end is another. */
  isActive(id: string): boolean
  /** Calls back with the id of each consent that ends. Returns a function that unsubscribes. */
  onEnd(listener: (id: string) => void): () => void
}

/** The connection to the registry, as /info shows it. */
export interface RegistryState {
  readonly state: string
  readonly reason?: string
  /** The process of the registry that this connector runs; 0 when it runs none. */
  readonly pid: number
}
