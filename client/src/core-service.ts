/** The core service: the calls that a page can make, as the interface of a client. */
import type { AuthenticationToken } from './authentication-token.ts'
import type { CardIdentity } from './identity.ts'
import type { Info } from './info.ts'
import type { Module } from './module.ts'
import type { CardService, Reader } from './reader.ts'

/** The options of every call. */
export interface CallOptions {
  /** Cancels the call, which then rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined
}

/** The options of a call that waits for a reader or a card. */
export interface WaitOptions extends CallOptions {
  /** Seconds to wait, 1 to 60; default: 30. */
  readonly timeoutS?: number | undefined
}

/** The options of `readerEvents`. */
export interface ReaderEventOptions extends CallOptions {
  /** Called with true when the connector gives no sign of life for about three seconds, so that the readers may be out of date; with false when they no longer are. */
  readonly onStale?: ((stale: boolean) => void) | undefined
}

/** The options of a request for consent. */
export interface ConsentOptions extends CallOptions {
  /** 1 to 365; default: 365. */
  readonly durationInDays?: number | undefined
}

/** A change, and all readers after it. */
export type ReaderChange =
  /** Comes first, and again whenever changes may have been missed or the smart card service stops or starts. */
  | {
      readonly type: 'snapshot'
      readonly readers: readonly Reader[]
      /** Whether the computer's smart card service works. Absent if the connector doesn't report it. */
      readonly cardService?: CardService | undefined
    }
  | {
      readonly type: 'reader-added' | 'reader-removed' | 'card-inserted' | 'card-removed'
      readonly reader: Reader
      readonly readers: readonly Reader[]
    }

/** The connector's public key, as a certificate. */
export interface DeviceCertificate {
  /** X.509, in PEM. */
  readonly certificate: string
  /** The SHA-256 of the certificate, in hex. */
  readonly fingerprint: string
}

/** The browser, as its requests describe it. */
export interface BrowserInformation {
  /** Such as `Firefox`. */
  readonly name: string
  /** As the browser gives it, such as `124.0`. */
  readonly version: string
  /** The rendering engine, such as `Gecko`. */
  readonly engine: string
  /** The operating system. Empty strings if the browser doesn't name it. */
  readonly os: { readonly name: string; readonly version: string }
  /** Whether it is the browser of a phone or tablet. */
  readonly mobile: boolean
  /** The client hints that the browser sent, by the name of their header in lower case. */
  readonly hints: Readonly<Record<string, string>>
}

/** A certificate of a card. */
export interface CardCertificate {
  /** The key to pass to `sign`, such as `9C` on a PIV card. */
  readonly id: string
  /** What the key is for. */
  readonly purpose: 'authentication' | 'signature' | 'encryption'
  /** The certificate itself (X.509). */
  readonly der: Uint8Array<ArrayBuffer>
  /** The distinguished name, in the form of RFC 4514. */
  readonly subject: string
  /** The distinguished name, in the form of RFC 4514. */
  readonly issuer: string
  /** In upper-case hex. */
  readonly serialNumber: string
  /** The CA certificates in DER, its issuer first, if the card has them, as Belgian identity cards do. */
  readonly chain?: readonly Uint8Array<ArrayBuffer>[] | undefined
}

/** The options of a call for which the connector asks the user for the PIN in its own dialog. */
export interface PinDialogOptions extends CallOptions {
  /** How many seconds the user has, 10 to 180; default: 120. */
  readonly timeoutS?: number | undefined
  /** The language of the dialog (BCP 47); default: the user's own. */
  readonly language?: string | undefined
}

/** The hash algorithms that cards sign with, by their names in WebCrypto. */
export type HashAlgorithm = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

/** What is signed, and how. */
export interface SignOptions extends PinDialogOptions {
  /** The `id` of a certificate; default: the card's key for signatures. */
  readonly key?: string | undefined
  /** The algorithm that made the digest: one of `hashes()`. */
  readonly hash: HashAlgorithm
  /** The digest, as long as its algorithm makes it: 32 bytes for SHA-256. */
  readonly digest: Uint8Array
  /**
   * The form of an ECDSA signature: `raw` is r and s concatenated, as in WebCrypto and JOSE, and `der` is as in X.509 and CMS.
   * Default: `raw`. RSA signatures are always PKCS #1 v1.5.
   */
  readonly format?: 'raw' | 'der' | undefined
}

/**
 * The card in a reader. Its calls reject with the kinds of failures for cards and PINs: `card-absent`, `card-changed`, `card-busy`,
 * `key-unknown`, `pin-wrong` (with `error.triesLeft`), `pin-blocked`, `pin-cancelled`…
 */
export interface Card {
  /** All certificates, or those for one purpose. Leaves out certificates that cannot be read. */
  certificates(
    options?: CallOptions & { readonly purpose?: CardCertificate['purpose'] | undefined },
  ): Promise<CardCertificate[]>
  /** The hash algorithms that the card signs with, best first. `sign` and `crypto.subtle.digest` take each of them. */
  hashes(options?: CallOptions): Promise<HashAlgorithm[]>
  /**
   * What the card says about its holder. The connector asks the user once for your site and this kind of card, in its own
   * dialog. The choice is valid for as long as the consent is. Rejects with `identity-refused` if the user declines.
   */
  identity<P extends keyof CardIdentity>(
    parts: readonly P[],
    options?: CallOptions,
  ): Promise<Pick<CardIdentity, P>>
  /** A token for the back end, which checks it with `verifyAuthentication`. The user enters the PIN in the connector's dialog. */
  authenticate(
    options: PinDialogOptions & {
      /** From the back end, for this session only: 44 to 128 characters. */
      readonly nonce: string
    },
  ): Promise<AuthenticationToken>
  /** Signs a digest, after the user has entered the PIN in the connector's dialog. Aborting closes the dialog. */
  sign(options: SignOptions): Promise<Uint8Array<ArrayBuffer>>
  /** Signs 1 to 100 digests with one dialog, which says how many. The signatures are in the order of the digests. */
  signAll(
    options: Omit<SignOptions, 'digest'> & { readonly digests: readonly Uint8Array[] },
  ): Promise<Uint8Array<ArrayBuffer>[]>
  /**
   * Selects an application of the card, lets `work` send commands to it, and resolves with the result of `work`. Meanwhile no other
   * program can use the card. The connector resets it before and after, even if `work` throws or the page closes. Needs the grant
   * `raw`. Rejects with `grant-missing` without it, and with `command-refused` for commands with a PIN.
   */
  transaction<T>(
    /** 5 to 16 bytes, as hex. */
    aid: string,
    work: (card: RawCard) => Promise<T>,
    options?: CallOptions,
  ): Promise<T>
}

/** A card that only this page can use. */
export interface RawCard {
  /** Sends a short APDU (ISO/IEC 7816-4). Resolves with the response, whose last two bytes are the status word. */
  transmit(command: Uint8Array): Promise<Uint8Array<ArrayBuffer>>
}

/** A call over the session of a client, to its address. */
export type RunCall<T> = (session: never, target: never) => Promise<T>

/** Every call rejects with a `CardwireError`. */
export interface CardwireClient {
  /** Where calls go: to the user's connector, or to the registry while there is no consent. */
  readonly url: string

  /** The version, device and user context of the connector, or of the registry if there is no consent. */
  info(options?: CallOptions): Promise<Info>
  /** The version of the connector. */
  version(options?: CallOptions): Promise<string>

  /** All readers. */
  readers(options?: CallOptions): Promise<Reader[]>
  /** Readers with a card. */
  readersCardAvailable(options?: CallOptions): Promise<Reader[]>
  /** Readers without a card. */
  readersCardsUnavailable(options?: CallOptions): Promise<Reader[]>
  /** Readers with a card, except those whose names contain one of these (case-insensitive). */
  readersExcludedByName(names: string | readonly string[], options?: CallOptions): Promise<Reader[]>
  /** One reader. Rejects with `reader-unknown` if it is no longer connected. */
  reader(id: string, options?: CallOptions): Promise<Reader>
  /** Waits until this reader has a card. Resolves with null after the timeout. */
  detectCard(readerId: string, options?: WaitOptions): Promise<Reader | null>
  /** Waits until any reader has a card. Resolves with null after the timeout. */
  detectAnyCard(options?: WaitOptions): Promise<Reader | null>
  /** Waits until a reader is connected. Resolves with null after the timeout. */
  detectReaders(options?: WaitOptions): Promise<Reader[] | null>
  /** Changes to the readers, until the signal aborts or the loop ends. All tabs of an origin share one stream. */
  readerEvents(options?: ReaderEventOptions): AsyncGenerator<ReaderChange, void, void>

  /** The card in this reader, which comes from a list, a detection or an event. */
  card(reader: Reader): Card

  /** For the other modules of this package, such as `openFiles`: makes a call where this client's calls go. */
  call<T>(run: RunCall<T>, options?: CallOptions, waitMs?: number): Promise<T>

  /** The modules that work on this system: all, or those for the card with this ATR. */
  modules(options?: CallOptions & { readonly atr?: string | undefined }): Promise<Module[]>
  /** One module. Rejects with `module-unknown` if it doesn't exist. */
  module(id: string, options?: CallOptions): Promise<Module>
  /** The key that responses are signed with, as a certificate. */
  deviceCertificate(options?: CallOptions): Promise<DeviceCertificate>
  /** The browser of this page, as the connector sees it. */
  browser(options?: CallOptions): Promise<BrowserInformation>

  /** Asks for consent with a code word that the user has just copied. Resolves with the connector's client. */
  getConsent(codeWord: string, options?: ConsentOptions): Promise<CardwireClient>
  /** Validates the stored consents. Resolves with the connector's client, which may now use another port. */
  validateConsent(options?: CallOptions): Promise<CardwireClient>
  /** Replaces the token for this client and for its calls in progress. */
  updateJWT(
    jwt: string,
    callback?: (error: unknown, client?: CardwireClient) => void,
  ): Promise<CardwireClient>
}
