/** What a card says about its holder: the parts, with their bytes decoded, and how they are read from an answer. */
import type {
  CardAddress as AddressAnswer,
  CardBiometric as BiometricAnswer,
  CardIdentity as IdentityAnswer,
  CardPicture as PictureAnswer,
} from '@cardwire/protocol/card-identity'

type Bytes = Uint8Array<ArrayBuffer>

type Decoded<Answer, Names extends keyof Answer> = {
  readonly [Name in keyof Answer]: Name extends Names ? Bytes : Answer[Name]
}

/** The holder's name, birth and numbers as the card has them, and the signed file that contains them. What the card doesn't have is empty. */
export type CardBiometric = Decoded<BiometricAnswer, 'rawData' | 'signature' | 'pictureHash'>

/** The holder's address, and the signed file that contains it. */
export type CardAddress = Decoded<AddressAnswer, 'rawData' | 'signature'>

/** The holder's picture: a JPEG of `width` by `height` pixels. */
export type CardPicture = Decoded<PictureAnswer, 'picture' | 'signature'>

/** The identity data of a card, by part. */
export interface CardIdentity {
  readonly biometric: CardBiometric
  readonly address: CardAddress
  readonly picture: CardPicture
}

/** The members that are bytes; all are base64 in an answer. */
const byteMembers: ReadonlySet<string> = new Set(['rawData', 'signature', 'pictureHash', 'picture'])

/** The parts that were asked for; `readBytes` decodes base64, `missing` makes the error for a part that is not there. */
export function readIdentity<P extends keyof CardIdentity>(
  answer: IdentityAnswer,
  parts: readonly P[],
  readBytes: (base64: string) => Bytes,
  missing: (part: P) => Error,
): Pick<CardIdentity, P> {
  const decode = (part: P) => {
    const found = answer[part]
    if (!found) throw missing(part)
    const members = Object.entries(found).map(([name, value]) => [
      name,
      // Members of a newer connector are given as they are.
      byteMembers.has(name) && typeof value === 'string' ? readBytes(value) : value,
    ])
    return [part, Object.fromEntries(members)]
  }
  return Object.fromEntries(parts.map(decode)) as Pick<CardIdentity, P>
}
