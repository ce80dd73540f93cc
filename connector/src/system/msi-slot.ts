/**
 * The slot of a package for Windows (docs/decisions/0075): a value in the unauthenticated attributes of its signature, which
 * the signature does not cover. Tag and length of what is around it are part of what it is recognised by: the program in the
 * package contains the first line of a slot too.
 */
import { parseEnv } from 'node:util'
import { isSlot, slotHeading, slotLength } from '@cardwire/protocol/package-slot'

/** UTF8String of DER (X.690 §8.1), with the length of a slot. */
const slotElement = Buffer.from([0x0c, 0x82, slotLength >> 8, slotLength & 0xff])
/** The attribute 1.3.6.1.4.1.42921.1.2.1 of osslsigncode: data that the signer does not vouch for. */
const attributeType = Buffer.from('060b2b0601040182cf29010201', 'hex')
/** Behind the slot, so that its attribute has the length that it was made with. */
const filler = Buffer.concat([Buffer.of(0x0c, 10), Buffer.alloc(10, ' ')])
const valueBytes = slotElement.length + slotLength + filler.length
/** SET OF, with the length of all values. */
const valuesElement = Buffer.from([0x31, 0x82, valueBytes >> 8, valueBytes & 0xff])

/** What an attribute begins with that has `valueBytes` bytes of values. */
export const attributeHead = Buffer.concat([attributeType, valuesElement])

/** The values of an attribute that holds a slot. */
export const createSlotValues = (slot: Uint8Array): Buffer =>
  Buffer.concat([slotElement, slot, filler])

/** Where the slot of a package is. undefined: it has none. Throws when it has several. */
export function findMsiSlot(file: Buffer): number | undefined {
  const head = Buffer.concat([attributeHead, slotElement, Buffer.from(`${slotHeading}\n`)])
  const at = file.indexOf(head)
  if (at === -1) return undefined
  if (file.indexOf(head, at + 1) !== -1) throw new Error('the package has more than one slot')
  const offset = at + attributeHead.length + slotElement.length
  return isSlot(file.subarray(offset, offset + slotLength)) ? offset : undefined
}

/** Nothing else is ever taken from a package: nobody signs what is in its slot. */
const stampedNames: readonly string[] = [
  'CARDWIRE_DS_URL',
  'CARDWIRE_INSTALLATION_KEY',
  'CARDWIRE_DS_FINGERPRINTS',
]

/** The settings that a service wrote into a package; empty: none did. Throws when it has several slots. */
export function readStampedSettings(file: Buffer): Readonly<Record<string, string>> {
  const offset = findMsiSlot(file)
  if (offset === undefined) return {}
  const settings = parseEnv(file.toString('utf8', offset, offset + slotLength))
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      value !== undefined && stampedNames.includes(name) ? [[name, value]] : [],
    ),
  )
}
