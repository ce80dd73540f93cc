/** Finds what a TLS server would work with in a keystore: one key with its certificate. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type CertificateFacts, readCertificateFacts } from './certificate-facts.ts'
import { readChildren, readDer, readOid } from './der.ts'
import { KeystoreRefused } from './keystore-refused.ts'
import type { Pkcs12Contents } from './open-pkcs12.ts'

interface KeyKind {
  readonly keyAlgorithm: 'RSA' | 'EC'
  readonly keyBits: number
}

export interface ServerIdentity {
  readonly key: KeyObject
  readonly certificate: X509Certificate
  readonly others: readonly X509Certificate[]
  readonly facts: CertificateFacts & KeyKind
}

/** The keys that browsers accept (CA/Browser Forum BR §6.1.5). */
const minRsaBits = 2048
const curveBits: Readonly<Record<string, number>> = {
  prime256v1: 256,
  secp384r1: 384,
  secp521r1: 521,
}

/** `now` is milliseconds since 1970. Throws KeystoreRefused. A certificate may begin later. */
export function findServerIdentity(
  { keys, certificates }: Pkcs12Contents,
  now: number,
): ServerIdentity {
  const pair = findKeyPair(keys.map(readKey), certificates.map(readCertificate))
  const kind = readKeyKind(pair.key)
  const facts = readCertificateFacts(pair.certificate)
  if (facts.notAfter <= now) {
    const end = new Date(facts.notAfter).toISOString()
    throw new KeystoreRefused(`its certificate expired at ${end}`, 'expired')
  }
  if (!facts.forServers) throw new KeystoreRefused('its certificate is not for servers')
  if (facts.names.length === 0) {
    throw new KeystoreRefused('its certificate names no host (subject alternative names)')
  }
  return { ...pair, facts: { ...facts, ...kind } }
}

/** The first key with a certificate of it. */
function findKeyPair(keys: readonly KeyObject[], certificates: readonly X509Certificate[]) {
  if (keys.length === 0) throw new KeystoreRefused('it holds no private key')
  if (certificates.length === 0) throw new KeystoreRefused('it holds no certificate')
  for (const key of keys) {
    // Not `checkPrivateKey`: on Workers it is always false.
    const mine = exportPublicKey(createPublicKey(key))
    const certificate = certificates.find((one) => exportPublicKey(one.publicKey).equals(mine))
    if (certificate)
      return { key, certificate, others: certificates.filter((one) => one !== certificate) }
  }
  throw new KeystoreRefused('its certificate belongs to another key')
}

const exportPublicKey = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })

function readKeyKind(key: KeyObject): KeyKind {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (type === 'ec') {
    const curve = details?.namedCurve ?? 'unknown'
    const bits = Object.hasOwn(curveBits, curve) ? curveBits[curve] : undefined
    if (bits !== undefined) return { keyAlgorithm: 'EC', keyBits: bits }
    throw new KeystoreRefused(`its key has the curve ${curve}`)
  }
  const bits = details?.modulusLength ?? 0
  if (bits >= minRsaBits) return { keyAlgorithm: 'RSA', keyBits: bits }
  throw new KeystoreRefused(`its key has ${bits} bits, fewer than ${minRsaBits}`)
}

/** rsaEncryption (RFC 8017 Appendix C) and id-ecPublicKey (RFC 5480 §2.1.1). */
const keyKinds = ['1.2.840.113549.1.1.1', '1.2.840.10045.2.1']

function readKey(der: Buffer): KeyObject {
  const kind = attempt(() => readKind(der))
  // Never given to OpenSSL: of DSA and DH it computes the public key at once, which takes hours where the file says so.
  if (!keyKinds.includes(kind)) throw new KeystoreRefused(`its key is ${kind}, and not RSA or EC`)
  return attempt(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

/** The algorithm of a PKCS#8 key (RFC 5958 §2). */
function readKind(der: Buffer): string {
  const [, algorithm] = readChildren(readDer(der))
  return readOid(readChildren(algorithm)[0])
}

function attempt<T>(read: () => T): T {
  try {
    return read()
  } catch {
    throw new KeystoreRefused('its private key cannot be read')
  }
}

function readCertificate(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch {
    throw new KeystoreRefused('one of its certificates cannot be read')
  }
}
