/** What the key of a certificate may be used for (RFC 5280 §4.2.1.3, §4.2.1.12): the one place that decides it, for every module. */
import { X509Certificate } from 'node:crypto'
import { findExtension } from './certificate.ts'
import { decodeElements } from './der.ts'

export interface KeyUsage {
  /** For signatures that authenticate somebody; a key of a certificate that does not say may be used for everything. */
  readonly authenticates: boolean
  /** For signatures that bind somebody. */
  readonly signs: boolean
  readonly encrypts: boolean
}

/** As the certificate says. Both undefined: it does not say. */
export interface StatedUsages {
  /** The first byte of KeyUsage, the first bit the highest. */
  readonly usage: number | undefined
  /** Object identifiers. */
  readonly extended: readonly string[] | undefined
}

// DER of 2.5.29.15.
const keyUsage = '551d0f'
const bitString = 0x03
export const usageBits = {
  digitalSignature: 0x80,
  nonRepudiation: 0x40,
  keyAgreement: 0x08,
  encipherment: 0x38,
} as const

/** What verifiers accept: TLS and Web eID, Windows, Kerberos, SSH, IPsec, and wireless networks. */
const loginPurposes = [
  '1.3.6.1.5.5.7.3.2', // id-kp-clientAuth
  '2.5.29.37.0', // anyExtendedKeyUsage
  '1.3.6.1.4.1.311.20.2.2', // szOID_KP_SMARTCARD_LOGON of wincrypt.h
  '1.3.6.1.5.2.3.4', // id-pkinit-KPClientAuth (RFC 4556 §3.2.2)
  '1.3.6.1.5.5.7.3.21', // id-kp-secureShellClient (RFC 6187 §2.2.2)
  '1.3.6.1.5.5.7.3.17', // id-kp-ipsecIKE (RFC 4945 §5.1.3.12)
  '1.3.6.1.5.5.7.3.14', // id-kp-eapOverLAN (RFC 4334 §2)
]

/** Whether verifiers take a signature by the key as an authentication (docs/decisions/0102-what-a-key-may-do.md). */
export const isForAuthentication = (stated: StatedUsages): boolean =>
  has(stated, usageBits.digitalSignature) && isForLogin(stated)

const has = ({ usage = 0xff }: StatedUsages, bits: number): boolean => (usage & bits) !== 0

const isForLogin = ({ extended }: StatedUsages): boolean =>
  extended?.some((purpose) => loginPurposes.includes(purpose)) ?? true

/** Throws when it is no certificate. */
export function readKeyUsage(der: Uint8Array): KeyUsage {
  const stated = readStatedUsages(der)
  const onlySigns = has(stated, usageBits.digitalSignature) && !isForLogin(stated)
  return {
    authenticates: isForAuthentication(stated),
    signs: has(stated, usageBits.nonRepudiation) || onlySigns,
    encrypts: has(stated, usageBits.encipherment),
  }
}

/**
 * Whether the key of a certificate authenticates, if only to some verifiers: TLS servers that use OpenSSL also take a certificate for key
 * agreement, and a signature by its key (check_purpose_ssl_client). A public key without a certificate names no user, and does not
 * (docs/decisions/0091-keys-without-certificates.md).
 */
export function canAuthenticate(der: Uint8Array): boolean {
  if (!isCertificate(der)) return false
  const stated = readStatedUsages(der)
  return has(stated, usageBits.digitalSignature | usageBits.keyAgreement) && isForLogin(stated)
}

function isCertificate(der: Uint8Array): boolean {
  try {
    return new X509Certificate(der).raw.length > 0
  } catch {
    return false
  }
}

/** Throws when it is no certificate. What cannot be read does not restrict the key. */
export function readStatedUsages(der: Uint8Array): StatedUsages {
  // What node:crypto calls the usage is the extended one.
  return { usage: readBits(der), extended: new X509Certificate(der).keyUsage }
}

/** The first byte of the bit string, behind that which counts the unused bits. */
function readBits(der: Uint8Array): number | undefined {
  try {
    const value = findExtension(der, keyUsage)
    const [bits] = value ? decodeElements(value) : []
    return bits?.tag === bitString ? (bits.content[1] ?? 0) : undefined
  } catch {
    return undefined
  }
}
