/** The module emv: payment cards (EMV 4.4 Book 1 and 3; contactless cards by EMV Contactless Book B). They sign nothing here. */
import { CardError } from './card-error.ts'
import type { CardKey, CardModule, CardPin } from './card-module.ts'
import { digitBlock } from './digit-block.ts'
import { directories, knownApplications } from './emv-applications.ts'
import { readPinTries, requirePlainPin } from './emv-pin.ts'

const pin: CardPin = {
  ...digitBlock,
  reference: 0x80,
  tellsTries: false,
  readTries: readPinTries,
  check: requirePlainPin,
}

/** The PIN of the card, which is verified, and that is all: the application signs nothing for a page. */
export const paymentPin: CardKey = { id: 'pin', purpose: 'non-repudiation', pin, signs: false }

export const emv: CardModule = {
  id: 'emv',
  version: '1.0.0',
  description: 'Payment cards (EMV)',
  cardName: 'Payment card',
  aids: [directories.contactless, directories.contact],
  otherAids: knownApplications,
  // Those of banks are many, and of chips that other cards have too.
  atrs: [],
  keys: [paymentPin],
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
