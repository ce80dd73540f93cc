/** What a card module is: data about a kind of card, and the few functions in which it differs from the others. */
import type { CardSession } from './card-session.ts'
import type { CardInfo, IdentityData, IdentityPart } from './identity.ts'
import type { HashName, KeyType } from './key-type.ts'
import type { PadFormat } from './pad.ts'
import type { PinRule } from './pin-rule.ts'

/** What a certificate is for, as legacy clients group them. */
export type Purpose = 'authentication' | 'non-repudiation' | 'encryption'

export interface CardKey {
  /** As the card's specification calls it; pages choose a key by it. */
  readonly id: string
  readonly purpose: Purpose
  /** undefined: it works without one. */
  readonly pin: CardPin | undefined
  /** `false`: it decrypts alone. */
  readonly signs?: false
}

export interface CardPin extends PinRule {
  /** P2 of VERIFY. */
  readonly reference: number
  /** The reference of the PIN that this one is under another reference: both have one counter of attempts. Absent: none. */
  readonly counter?: number
  /** The block that VERIFY takes. The caller overwrites it. */
  readonly toBlock: (pin: Uint8Array) => Uint8Array<ArrayBuffer>
  /** How a reader's own pad makes the same block; undefined: none can. */
  readonly pad?: PadFormat
  /** Whether VERIFY without data tells how many tries are left, and costs none. */
  readonly tellsTries: boolean
  /** Another command that tells it, which is sent first; undefined: the card does not tell. Throws `card-mute` for a card that fails. */
  readTries?(session: CardSession): number | undefined
  /** Throws where this card wants the PIN in another form than that block: a wrong form costs a try. */
  check?(session: CardSession): void
}

/** A digest that is to be signed; `hash` is the algorithm that made it. */
export interface Digest {
  readonly hash: HashName
  readonly bytes: Uint8Array
  /** Of RSA keys: RSASSA-PSS (RFC 8017 §8.1); absent: RSASSA-PKCS1-v1_5. */
  readonly padding?: 'pss' | undefined
}

/** Bytes of a certificate; those of cards have two thousand. Frames to a card process have room for one of this length. */
export const maxCertificateBytes = 16_384

/** Of a certificate that a card has beside those of its keys. */
export type AuthorityRole = 'root' | 'intermediate'

/** What a kind of card says about its holder. */
export interface CardIdentity {
  /** Those that it has. */
  readonly parts: readonly IdentityPart[]
  /** Throws `card-mute` or TlvError when the card does not give it. */
  read<P extends IdentityPart>(session: CardSession, part: P): IdentityData[P]
}

/** A key as those see it who do not speak to the card. */
export interface DescribedKey extends Pick<CardKey, 'id' | 'purpose' | 'signs'> {
  readonly pin: DescribedPin | undefined
  /** One to authenticate with whose certificate is for signatures that count as well. */
  readonly alsoSigns?: true
  /** One of its certificates is for authentication; absent: what the certificate says that is read for an operation. */
  readonly authenticates?: true
  /** What the PIN dialog calls the card; absent: as its module does. A card may be several tokens. */
  readonly cardName?: string
}
export type DescribedPin = PinRule & Pick<CardPin, 'reference' | 'counter'>

/** A kind of card, or one token, as those see it who do not speak to it. */
export interface DescribedModule
  extends Pick<CardModule, 'id' | 'cardName' | 'keyTypes' | 'hashes'> {
  readonly keys: readonly DescribedKey[]
  readonly identity?: Pick<CardIdentity, 'parts'>
  /** Its RSA keys sign with RSASSA-PSS too. */
  readonly signsPss?: true
  /** There when it has certificates of authorities. */
  readonly chain?: object
  /** There when it says something of itself. */
  readonly info?: object
}

export interface CardModule {
  /** Part of the paths of its operations. */
  readonly id: string
  readonly version: string
  /** What it works with, in a sentence. */
  readonly description: string
  /** The kind of card, as the PIN dialog calls it. */
  readonly cardName: string
  /** Application identifiers; a card that selects one of them is the module's. */
  readonly aids: readonly Uint8Array[]
  /** Those that a card is not asked for before an operation of the module: they are many, and a listing has to be fast. */
  readonly otherAids?: readonly Uint8Array[]
  /** ATRs in upper-case hex that say it all. */
  readonly atrs: readonly RegExp[]
  /** In the order in which one is chosen when the page names none. */
  readonly keys: readonly CardKey[]
  readonly keyTypes: readonly KeyType[]
  /** For keys that sign with fewer hash algorithms than others of their type; best first. */
  readonly hashes?: Readonly<Partial<Record<KeyType, readonly HashName[]>>>
  /** DER; undefined: the card has none for this key. */
  certificate(session: CardSession, key: CardKey): Uint8Array | undefined
  /** SubjectPublicKeyInfo (RFC 5280 §4.1), asked for where the card has no certificate; undefined: it has no such key. */
  publicKey?(session: CardSession, key: CardKey): Uint8Array | undefined
  /** The certificate of an authority that stands behind those of its keys; undefined: the card has none. Absent: such cards have none. */
  chain?(session: CardSession, role: AuthorityRole): Uint8Array | undefined
  /** What comes before the PIN of a signature over a digest of this algorithm. */
  prepare?(session: CardSession, key: CardKey, type: KeyType, hash: HashName): void
  /** The signature: PKCS #1 v1.5 of RSA keys; r and s, one after the other, of elliptic ones; Ed25519 signs the digest. */
  sign(session: CardSession, key: CardKey, type: KeyType, digest: Digest): Uint8Array
  /** Of identity cards. */
  readonly identity?: CardIdentity
  /** What the card says of itself. */
  info?(session: CardSession): CardInfo
}
