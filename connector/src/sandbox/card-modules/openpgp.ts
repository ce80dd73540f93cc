/** The module openpgp: cards with the OpenPGP application (Functional Specification 3.4.1). */
import { findTlv } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import { takeCertificate } from './card-file.ts'
import type { CardKey, CardModule } from './card-module.ts'
import { isPresent, isRefused } from './card-status.ts'
import { curveBytes, isRsa } from './key-type.ts'
import { find, getData, readOpenpgpIdentity, readOpenpgpInfo } from './openpgp-data.ts'
import { createPin } from './openpgp-pin.ts'
import { encodeEd25519Key, encodeEllipticKey, encodeRsaKey } from './public-key.ts'
import { fitToCurve, requireLength, toDigestInfo } from './signature.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

/**
 * The keys: the template that names each (§7.2.14), which of the certificates is its own (§4.4.1), and the command that
 * signs with it (§7.2.10, §7.2.13).
 */
const keys: Readonly<Record<string, KeyPlace>> = {
  signature: { template: 0xb6, attributes: 0xc1, occurrence: 2, command: [0x2a, 0x9e, 0x9a] },
  authentication: { template: 0xa4, attributes: 0xc3, occurrence: 0, command: [0x88, 0x00, 0x00] },
  encryption: { template: 0xb8, attributes: 0xc2, occurrence: 1, command: [0x2a, 0x80, 0x86] },
}

interface KeyPlace {
  readonly template: number
  readonly attributes: number
  readonly occurrence: number
  readonly command: readonly [ins: number, p1: number, p2: number]
}

/** Algorithm attributes (§4.4.3.9), and tags of public keys (§7.2.14). */
const algorithms = { rsa: 0x01, ecdsa: 0x13, eddsa: 0x16 } as const
const tags = { application: 0x6e, lists: 0x73, key: 0x7f49, modulus: 0x81, exponent: 0x82 } as const
const pointTag = 0x86
const certificateObject = 0x7f21

const codePin = createPin(0x81)
const otherPin = createPin(0x82)

export const openpgp: CardModule = {
  id: 'openpgp',
  version: '1.0.0',
  description: 'Cards with the OpenPGP application (version 2 and 3)',
  cardName: 'OpenPGP card',
  aids: [hex('D27600012401')],
  // Tokens with this application have others too, and ATRs of their makers.
  atrs: [],
  keys: [
    { id: 'signature', purpose: 'non-repudiation', pin: codePin },
    { id: 'authentication', purpose: 'authentication', pin: otherPin },
    { id: 'encryption', purpose: 'encryption', pin: otherPin, signs: false },
  ],
  keyTypes: ['RSA-2048', 'RSA-3072', 'RSA-4096', 'P-256', 'P-384', 'Ed25519'],
  certificate: (session, key) => {
    const { occurrence } = getPlace(key)
    const data = hex('60045C027F21')
    const { status } = session.send({ ins: 0xa5, p1: occurrence, p2: 0x04, data })
    // Version 2 does not know SELECT DATA (§7.2.5), and has one certificate, for authentication: it gives that one then.
    const hasOne = isRefused(status)
    if (!hasOne && !isPresent(status)) return undefined
    const certificate = getData(session, certificateObject)
    return certificate && (!hasOne || occurrence === 0) ? takeCertificate(certificate) : undefined
  },
  publicKey: (session, key) => {
    const { template, attributes } = getPlace(key)
    // GENERATE ASYMMETRIC KEY PAIR, which with 81 reads the key that is there.
    const command = { ins: 0x47, p1: 0x81, p2: 0x00, hasResponse: true }
    const { data, status } = session.send({ ...command, data: Uint8Array.of(template, 0x00) })
    if (!isPresent(status)) return undefined
    const lists = findTlv(find(getData(session, tags.application), tags.application), tags.lists)
    const [algorithm, ...curve] = find(lists, attributes)
    const parts = find(data, tags.key)
    if (algorithm === algorithms.rsa) {
      return encodeRsaKey(find(parts, tags.modulus), find(parts, tags.exponent))
    }
    if (algorithm === algorithms.eddsa) return encodeEd25519Key(find(parts, pointTag))
    // A last byte FF says how keys are imported.
    const oid = Uint8Array.from(curve.at(-1) === 0xff ? curve.slice(0, -1) : curve)
    return algorithm === algorithms.ecdsa
      ? encodeEllipticKey(oid, find(parts, pointTag))
      : undefined
  },
  sign: (session, key, type, digest) => {
    const [ins, p1, p2] = getPlace(key).command
    const bytes = curveBytes[type]
    const plain = bytes === undefined ? digest.bytes : fitToCurve(digest, bytes)
    const data = isRsa(type) ? toDigestInfo(digest) : plain
    const response = session.send({ ins, p1, p2, data, hasResponse: true })
    if (response.status === 0x9000) {
      return requireLength(
        response.data,
        isRsa(type) ? Number(type.slice(4)) / 8 : 2 * plain.length,
      )
    }
    const message = `Cannot sign with key "${key.id}": the card refuses it`
    throw new CardError('key-unsupported', message)
  },
  identity: { parts: ['biometric'], read: readOpenpgpIdentity },
  info: readOpenpgpInfo,
}

function getPlace({ id }: CardKey): KeyPlace {
  const place = keys[id]
  if (!place) throw new Error(`Cannot use key "${id}": OpenPGP cards have none of this name`)
  return place
}
