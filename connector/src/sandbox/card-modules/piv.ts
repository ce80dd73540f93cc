/** The module piv: cards with the PIV application (NIST SP 800-73-4). */
import { gunzipSync } from 'node:zlib'
import { decodeTlv, encodeTlv, findTlv, TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import { type CardKey, type CardModule, type CardPin, maxCertificateBytes } from './card-module.ts'
import type { CardSession } from './card-session.ts'
import { isPresent } from './card-status.ts'
import type { KeyType } from './key-type.ts'
import { createSecretBytes } from './secret-bytes.ts'
import { fitToCurve, padForRsa, requireLength, toRawSignature } from './signature.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

/** Without its two bytes of version, as part 1 §2.2 allows. */
const aid = hex('A00000030800001000')

/** Bytes of the PIN block, which FF fills up (part 2 §2.4.3). */
const pinBlockBytes = 8

const pin: CardPin = {
  reference: 0x80,
  min: 6,
  max: pinBlockBytes,
  alphabet: 'digits',
  tellsTries: true,
  toBlock: (value) => {
    const block = createSecretBytes(pinBlockBytes).fill(0xff)
    block.set(value)
    return block
  },
  pad: { encoding: 'ascii', block: new Uint8Array(pinBlockBytes).fill(0xff) },
}

/** The keys, with the number that names each and the object of its certificate (part 1, tables 3 and 4b). */
const slots: Readonly<
  Record<string, { readonly reference: number; readonly certificate: Uint8Array }>
> = {
  '9A': { reference: 0x9a, certificate: hex('5FC105') },
  '9C': { reference: 0x9c, certificate: hex('5FC10A') },
  '9D': { reference: 0x9d, certificate: hex('5FC10B') },
  '9E': { reference: 0x9e, certificate: hex('5FC101') },
}

/** Algorithm identifiers (SP 800-78-4, table 6-2), and the bytes of what the key signs. */
const algorithms: Readonly<
  Partial<Record<KeyType, { readonly reference: number; readonly bytes: number }>>
> = {
  'RSA-2048': { reference: 0x07, bytes: 256 },
  'P-256': { reference: 0x11, bytes: 32 },
  'P-384': { reference: 0x14, bytes: 48 },
}

const tags = { object: 0x53, certificate: 0x70, info: 0x71, template: 0x7c, response: 0x82 }

/** A certificate is compressed when this bit of its CertInfo is set (part 1, appendix A). */
const compressed = 0x01

export const piv: CardModule = {
  id: 'piv',
  version: '1.0.0',
  description: 'Cards with the PIV application (NIST SP 800-73-4)',
  cardName: 'PIV card',
  aids: [aid],
  // The historical bytes hold the AID.
  atrs: [/^(?:..)*A000000308/],
  keys: [
    { id: '9A', purpose: 'authentication', pin },
    { id: '9C', purpose: 'non-repudiation', pin },
    { id: '9D', purpose: 'encryption', pin },
    { id: '9E', purpose: 'authentication', pin: undefined },
  ],
  keyTypes: ['RSA-2048', 'P-256', 'P-384'],
  certificate: (session, key) => {
    const object = getData(session, getSlot(key).certificate)
    if (!object || decodeTlv(object).length === 0) return undefined
    const certificate = requireTlv(object, tags.certificate)
    if (certificate.length === 0) return undefined
    const [info = 0] = findTlv(object, tags.info) ?? []
    return (info & compressed) === 0 ? certificate : decompress(certificate)
  },
  sign: (session, key, type, digest) => {
    const { reference, bytes } = getAlgorithm(type)
    const isRsa = type === 'RSA-2048'
    const challenge = isRsa ? padForRsa(digest, bytes) : fitToCurve(digest, bytes)
    const { data, status } = session.send({
      ins: 0x87,
      p1: reference,
      p2: getSlot(key).reference,
      data: encodeTlv(tags.template, encodeTlv(tags.response), encodeTlv(0x81, challenge)),
      hasResponse: true,
    })
    if (status !== 0x9000) throw refuseSignature(key, status)
    const signature = findTlv(findTlv(data, tags.template) ?? data.subarray(0, 0), tags.response)
    if (!signature) throw new CardError('card-mute', 'Cannot sign: the card gives no signature')
    return isRsa ? requireLength(signature, bytes) : toRawSignature(signature, bytes)
  },
}

/** An object of the card; undefined: it has none. */
function getData(session: CardSession, object: Uint8Array): Uint8Array | undefined {
  const { data, status } = session.send({
    ins: 0xcb,
    p1: 0x3f,
    p2: 0xff,
    data: encodeTlv(0x5c, object),
    hasResponse: true,
  })
  return isPresent(status) && data.length > 0 ? requireTlv(data, tags.object) : undefined
}

function requireTlv(data: Uint8Array, tag: number): Uint8Array {
  const value = findTlv(data, tag)
  if (value) return value
  throw new TlvError('an object has not the elements that it should have')
}

function decompress(data: Uint8Array): Uint8Array {
  try {
    return gunzipSync(data, { maxOutputLength: maxCertificateBytes })
  } catch {
    throw new TlvError('a compressed certificate cannot be read')
  }
}

function getAlgorithm(type: KeyType) {
  const algorithm = algorithms[type]
  if (!algorithm) throw new Error(`Cannot sign with ${type}: PIV has no such keys`)
  return algorithm
}

function getSlot({ id }: CardKey) {
  const slot = slots[id]
  if (!slot) throw new Error(`Cannot use key "${id}": PIV has none of this name`)
  return slot
}

/** Part 2 §3.2.4. */
function refuseSignature({ id }: CardKey, status: number): CardError {
  if (status === 0x6982) {
    const message = `Cannot sign with key "${id}": the card wants more than a PIN`
    return new CardError('key-unsupported', message)
  }
  return new CardError('key-unsupported', `Cannot sign with key "${id}": the card refuses it`)
}
