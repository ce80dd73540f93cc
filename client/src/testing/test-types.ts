/** What a test passes to the simulated connector, and what it gets from it. */
import type { AuthenticationToken } from '../authentication-token.ts'
import type { ConnectorProblem } from '../connector-problem.ts'
import type { CardCertificate, HashAlgorithm } from '../core-service.ts'
import type { CardAddress, CardBiometric, CardPicture } from '../identity.ts'
import type { CardwireErrorKind } from '../kind.ts'

/** A key of a simulated card. */
export interface TestKey {
  /** The ID to pass to `sign`, such as `9C`. */
  readonly id: string
  /** What the key is for. */
  readonly purpose: CardCertificate['purpose']
  /** In DER; nothing reads it. */
  readonly certificate: Uint8Array
  /** Default: `CN=Test` and the ID. */
  readonly subject?: string
  /** Default: `CN=Test authority`. */
  readonly issuer?: string
  /** Default: `01`. */
  readonly serialNumber?: string
  /** The hash algorithms that it signs with; default: `SHA-256`. */
  readonly hashes?: readonly HashAlgorithm[]
  /**
   * Hashes these bytes and signs them with `algorithm`, as WebCrypto's `sign` does. Without it, the key returns
   * `key-unsupported` to `authenticate`.
   */
  readonly authenticate?: (data: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>
  /** The algorithm for `authenticate`; default: `ES256`. */
  readonly algorithm?: AuthenticationToken['algorithm']
  /** Signs as the card would. Without it, the key returns `key-unsupported`. */
  readonly sign?: (signed: {
    readonly digest: Uint8Array
    readonly hash: HashAlgorithm
    readonly format: 'raw' | 'der'
  }) => Uint8Array | Promise<Uint8Array>
}

/** The identity data of a simulated card. Members that you leave out are empty. */
export interface TestIdentity {
  /** Who the holder is. */
  readonly biometric?: Partial<CardBiometric>
  /** Where the holder lives. */
  readonly address?: Partial<CardAddress>
  /** What the holder looks like. */
  readonly picture?: Partial<CardPicture>
}

/** A CA certificate on a simulated card. */
export interface TestAuthority {
  /** Where it stands in the chain. */
  readonly role: 'root' | 'intermediate'
  /** In DER; nothing reads it. */
  readonly certificate: Uint8Array
  /** The distinguished name, in the form of RFC 4514. */
  readonly subject: string
  /** Default: the subject. */
  readonly issuer?: string
}

/** A card for a simulated reader. Only the ATR is required. */
export interface TestCard {
  /** Answer to reset, upper-case hex. */
  readonly atr: string
  /** The kinds of cards with this ATR; default: none. */
  readonly description?: readonly string[]
  /** The modules that handle the card; default: none. */
  readonly modules?: readonly string[]
  /** The keys that `client.card(reader)` finds. They need a module. */
  readonly keys?: readonly TestKey[]
  /** What the card says about its holder; default: nothing. */
  readonly identity?: TestIdentity
  /** The CA certificates of the keys' certificates; default: none. */
  readonly authorities?: readonly TestAuthority[]
  /** Answers the commands of `transaction`, with a status word at the end. Without it, the site has no grant for them. */
  readonly respond?: (command: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>
}

/** A simulated reader. Every field has a default. */
export interface TestReader {
  /** Default: the next number, as 16 hex digits. */
  readonly id?: string
  /** Default: "Test reader" and its number. */
  readonly name?: string
  /** Whether the reader has a keypad; default: false. */
  readonly pinpad?: boolean
  /** The card in it; default: none. */
  readonly card?: TestCard
}

/** The files of a folder: their bytes, by their path in the folder of the type, such as `2026/invoice.pdf`. */
export type TestFolder = Readonly<Record<string, Uint8Array<ArrayBuffer>>>

/** A request that the simulated connector received. */
export interface TestRequest {
  /** The name of the operation in the contract, such as `listReaders`. */
  readonly operation: string
  /** Such as `GET`. */
  readonly method: string
  /** Such as `/v3/readers`. */
  readonly path: string
  /** The parameters behind the path. */
  readonly query: Readonly<Record<string, string>>
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON; undefined if there is no body. */
  readonly body: unknown
}

/**
 * The kinds of failures that a test can script. Cause the others as in production: `configuration-invalid` with the configuration, `aborted`
 * with the page's signal, `consent-required`, `no-agent` and `too-many-codes` with the user, `token-missing` and `token-expired` with the
 * page's token, and `token-unavailable` with the page's `getToken`.
 */
export type ScriptedKind = Exclude<
  CardwireErrorKind,
  | 'configuration-invalid'
  | 'aborted'
  | 'consent-required'
  | 'no-agent'
  | 'too-many-codes'
  | 'token-missing'
  | 'token-expired'
  | 'token-unavailable'
>

/** The connector responds with this problem to every request. `fail` with a kind is shorter, and happens only where a connector has it. */
export interface ScriptedProblem {
  /** Its name in the contract. */
  readonly problem: ConnectorProblem
  /** The description for developers; default: the title of the problem in the contract. */
  readonly description?: string
  /** With `pin-wrong`: the PIN attempts left. */
  readonly triesLeft?: number
}

/** Which requests fail, and how. */
export interface FailureOptions {
  /** The only operation that fails, by its name in `requests`; default: all that can fail like this in production. */
  readonly operation?: string
  /** How many requests fail; default: all, until `recover`. */
  readonly times?: number
  /** With `pin-wrong`: the PIN attempts left. */
  readonly triesLeft?: number
}
