/** What a card says about its holder, as pages see it. */

/** The holder's name, birth and numbers as the card has them, and the signed file that contains them. What the card doesn't have is empty. */
export interface CardBiometric {
  /** The file as it is on the card. `signature` covers these bytes. */
  readonly rawData: Uint8Array<ArrayBuffer>
  /** The signature of the authority that issued the card. */
  readonly signature: Uint8Array<ArrayBuffer>
  /** The version of the file structure. */
  readonly version: string
  /** The number printed on the card. */
  readonly cardNumber: string
  /** The number of the chip, in upper-case hex. */
  readonly chipNumber: string
  /** The first day on which the card is valid, as stored on the card, such as `17.03.2024`. */
  readonly cardValidityDateBegin: string
  /** The last day on which the card is valid, as stored on the card, such as `17.03.2034`. */
  readonly cardValidityDateEnd: string
  /** The municipality that handed out the card. */
  readonly cardDeliveryMunicipality: string
  /** The holder's number in the national register. */
  readonly nationalNumber: string
  /** The family name. */
  readonly name: string
  /** The first and second first name, with a space between them. */
  readonly firstNames: string
  /** The first letter of the third first name. */
  readonly thirdName: string
  /** The nationality in the language of the card, such as `Belg`. */
  readonly nationality: string
  /** The place of birth. */
  readonly birthLocation: string
  /** The date of birth in the language of the card, such as `17 MAR  1984`. */
  readonly birthDate: string
  /** The sex as one letter in the language of the card: `M`, or `F`, `V` or `W`. */
  readonly sex: string
  /** The title of nobility. */
  readonly nobleCondition: string
  /** The kind of document, as the code that the issuer gave it. `1` is an identity card of a Belgian citizen. */
  readonly documentType: string
  /** The special status, as the code that the issuer gave it. `0` is none. */
  readonly specialStatus: string
  /** The hash of the picture: SHA-1 (20 bytes) or SHA-384 (48 bytes), depending on the card. */
  readonly pictureHash: Uint8Array<ArrayBuffer>
  /** The authority that issued the card. Absent from cards that don't name it. */
  readonly issuer?: string | undefined
}

/** The holder's address, and the signed file that contains it. What the card doesn't have is empty. */
export interface CardAddress {
  /** The file as it is on the card. `signature` covers these bytes. */
  readonly rawData: Uint8Array<ArrayBuffer>
  /** The signature of the authority that issued the card. */
  readonly signature: Uint8Array<ArrayBuffer>
  /** The version of the file structure. */
  readonly version: string
  /** The street, the number of the house and, if there is one, of the box. */
  readonly streetAndNumber: string
  /** The postal code. */
  readonly zipcode: string
  /** The municipality. */
  readonly municipality: string
}

/** The holder's picture. */
export interface CardPicture {
  /** A JPEG. */
  readonly picture: Uint8Array<ArrayBuffer>
  /** The signature over the file that contains the hash of the picture (`biometric.rawData` with `pictureHash`). */
  readonly signature: Uint8Array<ArrayBuffer>
  /** In pixels. */
  readonly width: number
  /** In pixels. */
  readonly height: number
}

/** The identity data of a card, by part. */
export interface CardIdentity {
  /** Who the holder is. */
  readonly biometric: CardBiometric
  /** Where the holder lives. */
  readonly address: CardAddress
  /** What the holder looks like. */
  readonly picture: CardPicture
}
