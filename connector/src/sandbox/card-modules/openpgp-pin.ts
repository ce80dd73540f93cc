/** The PINs of cards with the OpenPGP application (Functional Specification 3.4.1). */
import { CardError } from './card-error.ts'
import type { CardPin } from './card-module.ts'
import type { CardSession } from './card-session.ts'
import { isPresent, isRefused } from './card-status.ts'
import { find, readOpenpgpTries } from './openpgp-data.ts'
import { createSecretBytes } from './secret-bytes.ts'

/** KDF-DO: the card wants a hash of the PIN unless its first value is 0 (§4.3.2). */
const kdf = { object: 0xf9, algorithm: 0x81, none: 0x00 } as const

/** PW1, which has a reference for signatures and one for everything else (§4.2.2). */
export const createPin = (reference: number): CardPin => ({
  reference,
  counter: 0x81,
  min: 6,
  max: 127,
  alphabet: 'printable',
  tellsTries: true,
  // Version 2 does not know VERIFY without data.
  readTries: readOpenpgpTries,
  toBlock: (pin) => {
    const block = createSecretBytes(pin.length)
    block.set(pin)
    return block
  },
  // Digits alone: letters are typed in a window (CARDWIRE_READER_PADS).
  pad: { encoding: 'ascii', block: new Uint8Array() },
  check: requirePlainPin,
})

function requirePlainPin(session: CardSession): void {
  const { object: p2 } = kdf
  const { data, status } = session.send({ ins: 0xca, p1: 0x00, p2, hasResponse: true })
  // Version 2 does not know the object.
  if (isRefused(status) || !isPresent(status)) return
  if (data.length === 0) return
  const [algorithm] = find(data, kdf.algorithm)
  if (algorithm === kdf.none) return
  const message =
    'Cannot use the PIN: this card wants it hashed (KDF), which the connector does not'
  throw new CardError('key-unsupported', message)
}
