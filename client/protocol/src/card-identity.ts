/** What a card says about its holder, and about itself: the same operations for every module. */
import * as z from 'zod/mini'
import { cardInReader, cardProblems, inReader } from './card-token.ts'
import { data, operation } from './operation.ts'

const text = z.string()
const base64 = (what: string) => z.string().check(z.describe(`${what}, as base64`))

const signedFile = {
  rawData: base64('The file as it is on the card, which the signature covers'),
  signature: base64('The signature of the authority that issued the card'),
}

/** What the card does not have is an empty text. */
export const CardBiometric = z.object({
  ...signedFile,
  version: text.check(z.describe('The version of the file structure')),
  cardNumber: text,
  chipNumber: text.check(z.describe('Upper-case hex')),
  cardValidityDateBegin: text.check(z.describe('As stored on the card, such as 17.03.2024')),
  cardValidityDateEnd: text,
  cardDeliveryMunicipality: text,
  nationalNumber: text,
  name: text,
  firstNames: text,
  thirdName: text.check(z.describe('The first letter of the third first name')),
  nationality: text,
  birthLocation: text,
  birthDate: text.check(z.describe('In the language of the card, such as 17 MAR  1984')),
  sex: text,
  nobleCondition: text,
  documentType: text,
  specialStatus: text,
  pictureHash: base64('SHA-1 or SHA-384 of the picture'),
  issuer: z.optional(text),
})
export type CardBiometric = z.output<typeof CardBiometric>

export const CardAddress = z.object({
  ...signedFile,
  version: text,
  streetAndNumber: text,
  zipcode: text,
  municipality: text,
})
export type CardAddress = z.output<typeof CardAddress>

export const CardPicture = z.object({
  picture: base64('A JPEG'),
  signature: base64("The signature over the file that contains the picture's hash"),
  width: z.int().check(z.describe('Pixels')),
  height: z.int().check(z.describe('Pixels')),
})
export type CardPicture = z.output<typeof CardPicture>

/** The identity data of a card, by part. */
export const CardIdentity = z.object({
  biometric: z.optional(CardBiometric),
  address: z.optional(CardAddress),
  picture: z.optional(CardPicture),
})
export type CardIdentity = z.output<typeof CardIdentity>
export type IdentityPart = keyof CardIdentity

const infoFields = {
  rawData: base64('TokenInfo (ISO/IEC 7816-15 §8.10)'),
  applicationVersion: text.check(z.describe('The version of the card application, such as 1.7')),
  version: z.int().check(z.describe('The version of the TokenInfo')),
  serialNumber: text.check(z.describe('Upper-case hex')),
  label: text,
  prnGeneration: z.boolean().check(z.describe('Whether it generates random numbers')),
  eidCompliant: z.boolean(),
  graphicalPersoVersion: z.optional(z.int()),
  versionRfu: z.optional(z.int()),
  electricalPersoVersion: z.optional(z.int()),
  electricalPersoInterfaceVersion: z.optional(z.int()),
  changeCounter: z.optional(z.int()),
  activated: z.optional(z.boolean()),
}

/** What a card says about itself. */
export const CardInfo = z.object(infoFields)
export type CardInfo = z.output<typeof CardInfo>

/** `info` is what clients from 3.6.0 on read; the same members stand beside it for those before. */
export const CardInfoAnswer = z.object({
  ...infoFields,
  info: CardInfo,
  infoType: z.literal('TOKEN'),
  module: z.object({
    name: text,
    isHashedByToken: z
      .boolean()
      .check(z.describe('Whether the card hashes what it signs; otherwise the connector does')),
  }),
})
export type CardInfoAnswer = z.output<typeof CardInfoAnswer>

/** What a token of a PKCS #11 library says about itself: CK_TOKEN_INFO (PKCS #11 v2.40 §3.2); -1 is not known. */
export const TokenInfo = z.object({
  slot: text.check(z.describe('Usually the name of the reader')),
  label: text,
  manufacturerId: text,
  model: text,
  serialNumber: text,
  flags: z.int(),
  mechanisms: z.array(text).check(z.describe('By their numbers, such as 0x40')),
  ulMaxSessionCount: z.int(),
  ulSessionCount: z.int(),
  ulMaxRwSessionCount: z.int(),
  ulRwSessionCount: z.int(),
  ulMaxPinLen: z.int(),
  ulMinPinLen: z.int(),
  ulTotalPublicMemory: z.int(),
  ulFreePublicMemory: z.int(),
  ulTotalPrivateMemory: z.int(),
  ulFreePrivateMemory: z.int(),
  hardwareVersion: text,
  firmwareVersion: text,
})
export type TokenInfo = z.output<typeof TokenInfo>

/** Of a card that a library serves. */
export const TokenInfoAnswer = z.object({
  info: TokenInfo,
  infoType: z.literal('PKCS11'),
  module: CardInfoAnswer.shape.module,
})

const identityProblems = [
  ...cardProblems,
  'identity-refused',
  'dialog-unavailable',
  'pin-busy',
] as const
const identity = {
  ...cardInReader,
  method: 'GET',
  description:
    'The connector asks the user in a dialog, once for each origin and module. The choice is valid for as long as the consent is.',
  problems: identityProblems,
} as const

export const getCardIdentity = operation({
  ...identity,
  name: 'getCardIdentity',
  path: `${inReader}/all-data`,
  summary: 'Read the identity data of a card, by part',
  description: `${identity.description} Parts that the card does not have, or that cannot be read, are left out.`,
  // Legacy clients also send lists as `0=…&1=…`.
  query: z.looseObject({
    filter: z.optional(
      z
        .string()
        .check(
          z.maxLength(1000),
          z.describe('biometric, address or picture, separated by commas; default: all'),
        ),
    ),
  }),
  reply: data(CardIdentity),
})

export const getCardBiometric = operation({
  ...identity,
  name: 'getCardBiometric',
  path: `${inReader}/biometric`,
  summary: 'Read the name, birth details and numbers of the cardholder',
  reply: data(CardBiometric),
})

export const getCardAddress = operation({
  ...identity,
  name: 'getCardAddress',
  path: `${inReader}/address`,
  summary: 'Read the address of the cardholder',
  reply: data(CardAddress),
})

export const getCardPicture = operation({
  ...identity,
  name: 'getCardPicture',
  path: `${inReader}/picture`,
  summary: 'Read the picture of the cardholder',
  reply: data(CardPicture),
})

export const getCardInfo = operation({
  ...cardInReader,
  name: 'getCardInfo',
  method: 'GET',
  path: `${inReader}/info`,
  summary: 'Read information about a card',
  reply: data(z.union([CardInfoAnswer, TokenInfoAnswer])),
  problems: cardProblems,
})

export const getCardVersion = operation({
  ...cardInReader,
  name: 'getCardVersion',
  method: 'GET',
  path: `${inReader}/version`,
  summary: 'Read the version of the card application',
  reply: data(z.object({ version: text })),
  problems: cardProblems,
})
