/** What the key of a certificate may be used for (RFC 5280 §4.2.1.3, §4.2.1.12). */
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

// DER of 2.5.29.15.
const keyUsage = '551d0f'
/** Bits of the first byte, the first bit the highest. */
const bits = { digitalSignature: 0x80, nonRepudiation: 0x40, encipherment: 0x38 } as const

/** id-kp-clientAuth, anyExtendedKeyUsage, and what Windows logs persons in with (szOID_KP_SMARTCARD_LOGON of wincrypt.h). */
const loginPurposes = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0', '1.3.6.1.4.1.311.20.2.2']

/** Throws when it is no certificate. */
export function readKeyUsage(der: Uint8Array): KeyUsage {
  // What node:crypto calls the usage is the extended one.
  const purposes: readonly string[] | undefined = new X509Certificate(der).keyUsage
  const usage = readBits(findExtension(der, keyUsage))
  const mayLogIn = purposes?.some((purpose) => loginPurposes.includes(purpose)) ?? true
  return {
    authenticates: (usage & bits.digitalSignature) !== 0 && mayLogIn,
    signs:
      (usage & bits.nonRepudiation) !== 0 || ((usage & bits.digitalSignature) !== 0 && !mayLogIn),
    encrypts: (usage & bits.encipherment) !== 0,
  }
}

/** The first byte of the bit string, behind that which counts the unused bits; all bits where there is none. */
function readBits(value: Uint8Array | undefined): number {
  if (value === undefined) return 0xff
  const [bitString] = decodeElements(value)
  return bitString?.content[1] ?? 0
}
