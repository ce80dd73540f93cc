/** What an identity card says about its holder and itself, as every module gives it. Texts are the card's own; bytes are base64. */

/** Each is read alone. */
export type IdentityPart = 'biometric' | 'address' | 'picture'

/** What was signed by the authority that issued the card, and its signature. */
interface SignedFile {
  /** The file as it is on the card. */
  readonly rawData: string
  readonly signature: string
}

/** Texts that a card does not have are empty. */
export interface BiometricData extends SignedFile {
  /** Of the file's structure. */
  readonly version: string
  readonly cardNumber: string
  /** Upper-case hex. */
  readonly chipNumber: string
  /** Days as the card writes them: `17.03.2024`. */
  readonly cardValidityDateBegin: string
  readonly cardValidityDateEnd: string
  readonly cardDeliveryMunicipality: string
  readonly nationalNumber: string
  readonly name: string
  readonly firstNames: string
  /** The first letter of the third first name. */
  readonly thirdName: string
  readonly nationality: string
  readonly birthLocation: string
  /** In the language of the card: `17 MAR  1984`. */
  readonly birthDate: string
  readonly sex: string
  readonly nobleCondition: string
  readonly documentType: string
  readonly specialStatus: string
  /** Of the picture, base64; SHA-1, or SHA-384 on newer cards. */
  readonly pictureHash: string
  /** Where the file names one. */
  readonly issuer?: string
}

export interface AddressData extends SignedFile {
  readonly version: string
  readonly streetAndNumber: string
  readonly zipcode: string
  readonly municipality: string
}

export interface PictureData {
  /** JPEG. */
  readonly picture: string
  /** The one over the file that holds the picture's hash. */
  readonly signature: string
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** By part. */
export interface IdentityData {
  readonly biometric: BiometricData
  readonly address: AddressData
  readonly picture: PictureData
}

/** What a card says of itself; members that it does not say are absent. */
export interface CardInfo {
  /** Its TokenInfo (ISO/IEC 7816-15 §8.10), base64. */
  readonly rawData: string
  /** Of the card's application: `1.7`. */
  readonly applicationVersion: string
  /** Of the TokenInfo. */
  readonly version: number
  /** Upper-case hex. */
  readonly serialNumber: string
  readonly label: string
  /** Whether it makes random numbers. */
  readonly prnGeneration: boolean
  readonly eidCompliant: boolean
  readonly graphicalPersoVersion?: number
  readonly versionRfu?: number
  readonly electricalPersoVersion?: number
  readonly electricalPersoInterfaceVersion?: number
  readonly changeCounter?: number
  readonly activated?: boolean
}
