/** Finds what a TLS server would work with in a keystore: one key with its certificate. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type CertificateFacts, readCertificateFacts } from './certificate-facts.ts'
import { requireCertificateKey, requireServerKey } from './key-form.ts'
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

function readKey(der: Buffer): KeyObject {
  return attempt(() => {
    requireServerKey(der)
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  }, 'its private key cannot be read')
}

const readCertificate = (der: Buffer): X509Certificate =>
  attempt(() => {
    requireCertificateKey(der)
    return new X509Certificate(der)
  }, 'one of its certificates cannot be read')

/** `reason`: why the keystore is refused where `read` does not say it. */
function attempt<T>(read: () => T, reason: string): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof KeystoreRefused && error.kind === 'unusable') throw error
    throw new KeystoreRefused(reason)
  }
}
