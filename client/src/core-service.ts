/** The core service: the calls that a page can make, as the interface of a client. */
import type { CardIdentity } from './identity.ts'
import type { AuthenticationToken, CardService, Info, Module, Reader } from './protocol/index.ts'

/** The options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** The options of a call that waits for a reader or a card. */
export interface WaitOptions extends CallOptions {
  /** Seconds to wait, 1 to 60; default: 30. */
  readonly timeoutS?: number | undefined
}

/** The options of a request for consent. */
export interface ConsentOptions extends CallOptions {
  /** 1 to 365; default: 365. */
  readonly durationInDays?: number | undefined
}

/** A change, and all readers as they are after it. */
export type ReaderChange =
  /** Comes first, and again whenever changes may have been missed or the card service has gone or is back. */
  | {
      readonly type: 'snapshot'
      readonly readers: readonly Reader[]
      /** Whether the service for smart cards of the machine works; absent: the connector does not say. */
      readonly cardService?: CardService | undefined
    }
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

/** The browser, as its requests describe it. */
export interface BrowserInformation {
  readonly name: string
  readonly version: string
  readonly engine: string
  readonly os: { readonly name: string; readonly version: string }
  readonly mobile: boolean
  readonly hints: Readonly<Record<string, string>>
}

/** A certificate of a card. */
export interface CardCertificate {
  /** The key, for `sign`: such as `9C` of a PIV card. */
  readonly id: string
  /** What the key is for. */
  readonly purpose: 'authentication' | 'signature' | 'encryption'
  readonly der: Uint8Array<ArrayBuffer>
  /** Distinguished name in the form of RFC 4514. */
  readonly subject: string
  /** Distinguished name in the form of RFC 4514. */
  readonly issuer: string
  /** Upper-case hex. */
  readonly serialNumber: string
  /** DER of the authorities behind it, its issuer first, of a card that has them, as Belgian identity cards do. */
  readonly chain?: readonly Uint8Array<ArrayBuffer>[] | undefined
}

/** The options of a call for which the connector asks the user for the PIN, in a dialog of its own. */
export interface PinDialogOptions extends CallOptions {
  /** Seconds that the user has, 10 to 180; default: 120. */
  readonly timeoutS?: number | undefined
  /** The language of the dialog (BCP 47); default: the user's own. */
  readonly language?: string | undefined
}

/** What is signed, and how. */
export interface SignOptions extends PinDialogOptions {
  /** The `id` of a certificate; default: the key of the card for signatures. */
  readonly key?: string | undefined
  /** The algorithm that made the digest. */
  readonly hash: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'
  readonly digest: Uint8Array
  /**
   * Of a signature by an elliptic curve: `raw` is r and s one after the other, as WebCrypto and JOSE have it, `der` is as X.509
   * and CMS have it; default: `raw`. A signature by RSA is PKCS #1 v1.5 in either.
   */
  readonly format?: 'raw' | 'der' | undefined
}

/**
 * The card in a reader. Its calls reject with the problems of cards, as `error.problem`: `card-absent`, `card-changed`, `card-busy`,
 * `key-unknown`, `pin-wrong` (with `error.triesLeft`), `pin-blocked`, `pin-cancelled`…
 */
export interface Card {
  /** The certificates, all or those for one purpose; one that cannot be read is left out. */
  certificates(
    options?: CallOptions & { readonly purpose?: CardCertificate['purpose'] | undefined },
  ): Promise<CardCertificate[]>
  /** The hash algorithms that the card signs with, best first: `sha256`, `sha384`… */
  hashes(options?: CallOptions): Promise<string[]>
  /**
   * What the card says about its holder. The user is asked once for your site and this kind of card, in a dialog of the
   * connector; the answer holds as long as the consent. Rejects with the problem `identity-refused` when the answer is no.
   */
  identity<P extends keyof CardIdentity>(
    parts: readonly P[],
    options?: CallOptions,
  ): Promise<Pick<CardIdentity, P>>
  /** A token for the back end, which checks it with `verifyAuthentication`; the user enters the PIN in the connector's dialog. */
  authenticate(
    options: PinDialogOptions & {
      /** Of the back end, for this session alone: 44 to 128 characters. */
      readonly nonce: string
    },
  ): Promise<AuthenticationToken>
  /** Signs a digest, after the user has entered the PIN in the connector's dialog. Aborting closes the dialog. */
  sign(options: SignOptions): Promise<Uint8Array<ArrayBuffer>>
  /** The same for 1 to 100 digests with one dialog, which says how many; the signatures are in the order of the digests. */
  signAll(
    options: Omit<SignOptions, 'digest'> & { readonly digests: readonly Uint8Array[] },
  ): Promise<Uint8Array<ArrayBuffer>[]>
  /**
   * Selects an application of the card, lets `work` send commands to it, and resolves with what that resolves with. Nobody else
   * has the card meanwhile; it is reset before and after, also when `work` throws or the page goes. For sites with the grant
   * `raw` alone: rejects with the problem `grant-missing` for others, and `command-refused` for commands with a PIN.
   */
  transaction<T>(
    /** 5 to 16 bytes, as hex. */
    aid: string,
    work: (card: RawCard) => Promise<T>,
    options?: CallOptions,
  ): Promise<T>
}

/** A card that the page has for itself. */
export interface RawCard {
  /** Sends a short APDU (ISO/IEC 7816-4); resolves with the answer, whose last two bytes are the status word. */
  transmit(command: Uint8Array): Promise<Uint8Array<ArrayBuffer>>
}

/** A call over the session of a client, to its address. */
export type RunCall<T> = (session: never, target: never) => Promise<T>

/** Every call rejects with a `CardwireError`. */
export interface CardwireClient {
  /** The address of the calls: the user's connector, or the registry while there is no consent. */
  readonly url: string

  /** Version, device and user context of whoever answers: with consent the connector, else the registry. */
  info(options?: CallOptions): Promise<Info>
  /** The version of the connector. */
  version(options?: CallOptions): Promise<string>

  /** All readers. */
  readers(options?: CallOptions): Promise<Reader[]>
  /** Readers with a card. */
  readersCardAvailable(options?: CallOptions): Promise<Reader[]>
  /** Readers without a card. */
  readersCardsUnavailable(options?: CallOptions): Promise<Reader[]>
  /** Readers with a card, without those whose names contain one of these (case-insensitive). */
  readersExcludedByName(names: string | readonly string[], options?: CallOptions): Promise<Reader[]>
  /** One reader; rejects with the problem `reader-unknown` when it has gone. */
  reader(id: string, options?: CallOptions): Promise<Reader>
  /** Waits until this reader has a card; null when time is up. */
  detectCard(readerId: string, options?: WaitOptions): Promise<Reader | null>
  /** Waits until any reader has a card; null when time is up. */
  detectAnyCard(options?: WaitOptions): Promise<Reader | null>
  /** Waits until there is a reader; null when time is up. */
  detectReaders(options?: WaitOptions): Promise<Reader[] | null>
  /** The changes of the readers, until the signal aborts or the loop ends; all tabs of an origin share one stream. */
  readerEvents(options?: CallOptions): AsyncGenerator<ReaderChange, void, void>

  /** The card in this reader, as a list, a detection or an event has it. */
  card(reader: Reader): Card

  /** For the other entries of this package, such as `openFiles`: a call at the address of this client. */
  call<T>(run: RunCall<T>, options?: CallOptions, waitMs?: number): Promise<T>

  /** The modules that work on this system, all or those for the card with this ATR. */
  modules(options?: CallOptions & { readonly atr?: string | undefined }): Promise<Module[]>
  /** One module; rejects with the problem `module-unknown` when there is none. */
  module(id: string, options?: CallOptions): Promise<Module>
  /** The key that responses are signed with, as a certificate. */
  deviceCertificate(options?: CallOptions): Promise<DeviceCertificate>
  /** The browser of this page, as the connector sees it. */
  browser(options?: CallOptions): Promise<BrowserInformation>

  /** Asks for consent with a code word that the user has just copied; resolves with the client of the connector. */
  getConsent(codeWord: string, options?: ConsentOptions): Promise<CardwireClient>
  /** Validates the stored consents; resolves with the client of the connector, which may have another port now. */
  validateConsent(options?: CallOptions): Promise<CardwireClient>
  /** Replaces the token, for this client and its calls that are under way. */
  updateJWT(
    jwt: string,
    callback?: (error: unknown, client?: CardwireClient) => void,
  ): Promise<CardwireClient>
}
