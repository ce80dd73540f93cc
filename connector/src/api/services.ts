/** What the API works with; the command that runs it gathers these. */
import type { SyncState } from '@cardwire/client/protocol'
import type { Cards } from '../cards/cards.ts'
import type { Certificates } from '../certs/certificates.ts'
import type { ConsentDesk } from '../consent/desk.ts'
import type { Counters } from '../counters/counters.ts'
import type { Modules } from '../modules/registry.ts'
import type { Readers } from '../readers/readers.ts'
import type { Settings } from '../settings.ts'
import type { Log } from '../system/log.ts'
import type { OwnerOf } from '../system/owner.ts'

export interface Services {
  readonly settings: Settings
  readonly version: string
  readonly log: Log
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
  readonly readers: Readers
  readonly cards: Cards
  readonly modules: Modules
  readonly counters: Counters
  readonly certificates: Certificates
  readonly pageKey: PageKey
  readonly tokens: Tokens
  readonly consents: Consents
  /** Asks the person, and knows what the person has consented to. */
  readonly desk: ConsentDesk
  /** Whether pages find this API through the registry. */
  readonly registry: () => RegistryState
  /** Who holds the management token is a program of this user. */
  readonly managementToken: string
  readonly ownerOf: OwnerOf
  readonly person: Person
  /** The names in the certificates that are served, lower case. */
  readonly names: () => ReadonlySet<string>
  /** The origins whose pages may ask at all. */
  readonly allowlist: () => readonly string[]
  /** Calls back whenever that list has become another. */
  readonly onAllowlist: (listener: () => void) => () => void
  /** undefined for a connector that has none. */
  readonly distribution: Distribution | undefined
}

/** The distribution service of this connector. */
export interface Distribution {
  /** Where it is. */
  readonly url: string
  registered(): boolean
  /** Synchronises, and answers with what came of it. Never throws. */
  now(): Promise<SyncState>
  /** Synchronises soon; pages may ask for it as often as they like. */
  soon(): void
  /** Leaves the logs with the service. Throws when it has not got them. */
  pushLogs(): Promise<void>
}

/** The RSA key that answers are signed with and PINs are encrypted to. */
export interface PageKey {
  /** SPKI, PEM. */
  readonly publicKey: string
  readonly certificate: string
  readonly fingerprint: string
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the text, base64. */
  sign(text: string): string
}

export interface Tokens {
  /** false: nobody needs a token. */
  readonly required: boolean
  /** Resolves with the label when the token is good, and when it ends; throws otherwise. */
  verify(token: string): Promise<{ readonly label: string; readonly expiresAt: number }>
}

/** What the person has consented to. */
export interface Consents {
  /** Whether this origin holds a live consent. */
  holds(origin: string): boolean
  /** Calls back whenever the last consent of an origin ends. */
  onEnd(listener: (origin: string) => void): () => void
}

/** How the API stands with the registry, for people. */
export interface RegistryState {
  readonly state: string
  readonly reason?: string
  /** The process of the registry that this connector runs; 0 when it runs none. */
  readonly pid: number
}

/** The person whose connector this is, and the machine. */
export interface Person {
  readonly username: string
  readonly hostName: string
  readonly home: string
  readonly tempDir: string
  readonly timezone: string
  readonly language: string
  readonly country: string
  readonly os: { readonly name: string; readonly version: string; readonly architecture: string }
}
