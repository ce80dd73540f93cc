/** What the key of a certificate is for, by its key usage, and whether the certificate is one of an authority. */
import { X509Certificate } from 'node:crypto'
import { decodeTlv, findTlv, TlvError } from '../card-modules/ber-tlv.ts'
import type { AuthorityRole, Purpose } from '../card-modules/card-module.ts'

export interface CertificateUse {
  readonly purpose: Purpose
  /** One to authenticate with is for signatures that count as well. */
  readonly alsoSigns: boolean
  /** Of a certificate that may certify others; undefined: it may not. */
  readonly authority: AuthorityRole | undefined
}

/** As the certificate says. Both undefined: it does not say. */
export interface KeyUsages {
  /** The first byte of KeyUsage (RFC 5280 §4.2.1.3). */
  readonly usage: number | undefined
  /** Object identifiers (RFC 5280 §4.2.1.12). */
  readonly extended: readonly string[] | undefined
}

const bits = { digitalSignature: 0x80, nonRepudiation: 0x40, encryption: 0x20 | 0x10 | 0x08 }

/** clientAuth and anyExtendedKeyUsage (RFC 5280 §4.2.1.12), and the log in with a smart card of Windows ([MS-WCCE] §2.2.2.7.7). */
const authenticating = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0', '1.3.6.1.4.1.311.20.2.2']

/**
 * A key that a verifier takes as one to authenticate with is one, whatever else it is for: whoever has a digest of any choice
 * signed by it can log in as the person (rule of `raw-authenticate`).
 */
export function findPurpose({ usage, extended }: KeyUsages): Omit<CertificateUse, 'authority'> {
  const has = (bit: number) => usage === undefined || (usage & bit) !== 0
  const signsThatCount = usage !== undefined && has(bits.nonRepudiation)
  if (usage !== undefined && !has(bits.digitalSignature | bits.nonRepudiation))
    return { purpose: 'encryption', alsoSigns: false }
  const names = extended?.some((id) => authenticating.includes(id)) ?? false
  const authenticates = has(bits.digitalSignature) && (names || !signsThatCount)
  if (authenticates) return { purpose: 'authentication', alsoSigns: signsThatCount }
  return { purpose: 'non-repudiation', alsoSigns: false }
}

/** undefined: it is no certificate of X.509. */
export function readCertificateUse(der: Uint8Array): CertificateUse | undefined {
  try {
    const { ca, subject, issuer } = new X509Certificate(der)
    const role = subject === issuer ? 'root' : 'intermediate'
    return { ...findPurpose(readKeyUsages(der)), authority: ca ? role : undefined }
  } catch {
    return undefined
  }
}

/** Throws TlvError when it is no certificate. */
export function readKeyUsages(der: Uint8Array): KeyUsages {
  const tbs = findTlv(requireTlv(der, 0x30), 0x30)
  // [3] EXPLICIT Extensions (RFC 5280 §4.1).
  const tagged = tbs && findTlv(tbs, 0xa3)
  const extensions = tagged ? decodeTlv(requireTlv(tagged, 0x30)) : []
  const find = (id: string) => {
    const found = extensions.find(({ value }) => toHex(requireTlv(value, 0x06)) === id)
    return found && requireTlv(found.value, 0x04)
  }
  const [usage, extended] = [find(keyUsage), find(extendedKeyUsage)]
  return {
    // The first byte of a BIT STRING says how many bits are not used (X.690 §8.6.2).
    usage: usage && (requireTlv(usage, 0x03)[1] ?? 0),
    extended:
      extended &&
      decodeTlv(requireTlv(extended, 0x30)).map(({ value }) => toObjectIdentifier(value)),
  }
}

/** 2.5.29.15 and 2.5.29.37, encoded. */
const keyUsage = '551d0f'
const extendedKeyUsage = '551d25'

function requireTlv(data: Uint8Array, tag: number): Uint8Array {
  const value = findTlv(data, tag)
  if (value) return value
  throw new TlvError(`no element with tag ${tag.toString(16)}`)
}

/** X.690 §8.19. */
function toObjectIdentifier(bytes: Uint8Array): string {
  const parts: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 0x80 + (byte & 0x7f)
    if (byte < 0x80) {
      parts.push(value)
      value = 0
    }
  }
  const [first = 0, ...others] = parts
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - 40 * root, ...others].join('.')
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
