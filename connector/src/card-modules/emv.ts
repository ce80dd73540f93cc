/** The module emv: payment cards (EMV 4.4 Book 1 and 3; contactless cards by EMV Contactless Book B). They sign nothing here. */
import { CardError } from './card-error.ts'
import type { CardModule } from './card-module.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

/** The directories of a card's applications: of contactless cards, and of those with contacts. */
export const directories = {
  contactless: new Uint8Array(Buffer.from('2PAY.SYS.DDF01')),
  contact: new Uint8Array(Buffer.from('1PAY.SYS.DDF01')),
} as const

/** Applications of cards without a directory: Visa, V PAY, Electron, Mastercard, Maestro, American Express, Bancontact, CB, girocard. */
export const knownApplications: readonly Uint8Array[] = [
  hex('A0000000031010'),
  hex('A0000000032020'),
  hex('A0000000032010'),
  hex('A0000000041010'),
  hex('A0000000043060'),
  hex('A00000002501'),
  hex('D056000666111010'),
  hex('A0000000421010'),
  hex('A0000003591010028001'),
]

export const emv: CardModule = {
  id: 'emv',
  version: '1.0.0',
  description: 'Payment cards (EMV)',
  cardName: 'Payment card',
  aids: [directories.contactless, directories.contact],
  otherAids: knownApplications,
  // Those of banks are many, and of chips that other cards have too.
  atrs: [],
  keys: [],
  keyTypes: [],
  certificate: () => undefined,
  sign: () => {
    throw new CardError('key-unsupported', 'Cannot sign: payment cards have no key for it')
  },
  identity: {
    parts: [],
    read: () => {
      throw new CardError('card-mute', 'Cannot read the identity: payment cards have none')
    },
  },
}
