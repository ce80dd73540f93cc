/** The core service: everything a page can ask of the connector, and how a client is described. */
import type { Info, Module, Reader } from './protocol/index.ts'

/** How one call may be ended early. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** How a call waits for what a person does. */
export interface WaitOptions extends CallOptions {
  /** Seconds to wait, 1 to 60; 30 when nothing is said. */
  readonly timeoutS?: number | undefined
}

export interface ConsentOptions extends CallOptions {
  /** 1 to 365; 365 when nothing is said. */
  readonly durationInDays?: number | undefined
}

/** What happened to the readers, and all of them as they are after it. */
export type ReaderChange =
  /** The beginning; it comes again when changes may have been missed. */
  | { readonly type: 'snapshot'; readonly readers: readonly Reader[] }
  | {
      readonly type: 'reader-added' | 'reader-removed' | 'card-inserted' | 'card-removed'
      readonly reader: Reader
      readonly readers: readonly Reader[]
    }

/** The public key of the connector as a certificate: PEM, and SHA-256 of it as hex. */
export interface DeviceCertificate {
  readonly certificate: string
  readonly fingerprint: string
}

/** The browser, as it described itself to the connector. */
export interface BrowserInformation {
  readonly name: string
  readonly version: string
  readonly engine: string
  readonly os: { readonly name: string; readonly version: string }
  readonly mobile: boolean
  readonly hints: Readonly<Record<string, string>>
}

/** Every call rejects with a `CardwireError`. */
export interface CardwireClient {
  /** Where calls go: the connector of the person, or the registry while there is no consent. */
  readonly url: string

  info(options?: CallOptions): Promise<Info>
  /** The version of the connector. */
  version(options?: CallOptions): Promise<string>

  readers(options?: CallOptions): Promise<Reader[]>
  readersCardAvailable(options?: CallOptions): Promise<Reader[]>
  readersCardsUnavailable(options?: CallOptions): Promise<Reader[]>
  /** Readers with a card, without those whose names contain one of these, whatever the case. */
  readersExcludedByName(names: string | readonly string[], options?: CallOptions): Promise<Reader[]>
  reader(id: string, options?: CallOptions): Promise<Reader>
  /** Waits until this reader has a card; null when it had none in time. */
  detectCard(readerId: string, options?: WaitOptions): Promise<Reader | null>
  /** Waits until any reader has a card; null when none had in time. */
  detectAnyCard(options?: WaitOptions): Promise<Reader | null>
  /** Waits until there is a reader; null when there was none in time. */
  detectReaders(options?: WaitOptions): Promise<Reader[] | null>
  /** The readers as they change, until the signal or the loop ends; all tabs of an origin share one stream. */
  readerEvents(options?: CallOptions): AsyncGenerator<ReaderChange, void, void>

  /** What the connector can do on this system, all or for the card with this ATR. */
  modules(options?: CallOptions & { readonly atr?: string | undefined }): Promise<Module[]>
  module(id: string, options?: CallOptions): Promise<Module>
  deviceCertificate(options?: CallOptions): Promise<DeviceCertificate>
  browser(options?: CallOptions): Promise<BrowserInformation>

  /** Asks for consent with a code word that the person has just put on the clipboard; gives the client to go on with. */
  getConsent(codeWord: string, options?: ConsentOptions): Promise<CardwireClient>
  /** Whether a stored consent still holds; gives the client to go on with, where the connector has moved. */
  validateConsent(options?: CallOptions): Promise<CardwireClient>
  /** Another token from now on, for this client and what it has under way. */
  updateJWT(
    jwt: string,
    callback?: (error: unknown, client?: CardwireClient) => void,
  ): Promise<CardwireClient>
}
