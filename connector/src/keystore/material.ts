/** What a server needs of an opened keystore: one key with its certificate, the chain behind it, and the names. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readCertificate } from '../pki/certificate.ts'
import { readName } from '../pki/names.ts'
import type { Contents } from './pkcs12.ts'
import { KeystoreRefused } from './refusal.ts'

export interface KeystoreMaterial {
  /** The certificate and those that lead to its root, PEM. */
  readonly cert: string
  /** PKCS#8, PEM; never leaves the process but for a file of its owner. */
  readonly key: string
  /** Host names and addresses, lower case; a wildcard stands for one label. */
  readonly names: readonly string[]
  /** Milliseconds since 1970, UTC. */
  readonly notAfter: number
}

/** What browsers accept (CA/Browser Forum BR §6.1.5). */
const smallestRsa = 2048
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

/** `now` is milliseconds since 1970. Throws KeystoreRefused. */
export function materialOf({ keys, certificates }: Contents, now: number): KeystoreMaterial {
  const { key, leaf, others } = pairOf(keys.map(readKey), certificates.map(readDer))
  const reason = unfit(key)
  if (reason !== undefined) throw new KeystoreRefused(reason)
  const facts = readCertificate(pemOf(leaf))
  if (facts.notAfter <= now)
    throw new KeystoreRefused(`its certificate expired at ${iso(facts.notAfter)}`)
  if (facts.notBefore > now) {
    throw new KeystoreRefused(`its certificate is not valid before ${iso(facts.notBefore)}`)
  }
  if (!facts.forServers) throw new KeystoreRefused('its certificate is not for servers')
  const names = facts.names.filter(isServed)
  if (names.length === 0) {
    throw new KeystoreRefused('its certificate names no host (subject alternative names)')
  }
  return {
    cert: [leaf, ...chainOf(leaf, others)].map(pemOf).join(''),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    names: names.map((name) => name.toLowerCase()),
    notAfter: facts.notAfter,
  }
}

/** The first key that has a certificate. */
function pairOf(keys: readonly KeyObject[], certificates: readonly X509Certificate[]) {
  if (keys.length === 0) throw new KeystoreRefused('it holds no private key')
  if (certificates.length === 0) throw new KeystoreRefused('it holds no certificate')
  for (const key of keys) {
    const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key))
    if (leaf) return { key, leaf, others: certificates.filter((one) => one !== leaf) }
  }
  throw new KeystoreRefused('its certificate belongs to another key')
}

function unfit({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'ec') {
    const curve = asymmetricKeyDetails?.namedCurve ?? 'unknown'
    return curves.includes(curve) ? undefined : `its key has the curve ${curve}`
  }
  if (asymmetricKeyType !== 'rsa') return `its key is ${asymmetricKeyType}, and not RSA or EC`
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  return bits >= smallestRsa ? undefined : `its key has ${bits} bits, fewer than ${smallestRsa}`
}

/** From issuer to issuer; the root itself is what browsers have. */
function chainOf(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
): readonly X509Certificate[] {
  const chain: X509Certificate[] = []
  for (let last = leaf; ; ) {
    const issuer = others.find((one) => !chain.includes(one) && isIssuer(one, last))
    if (issuer === undefined || isIssuer(issuer, issuer)) return chain
    chain.push(issuer)
    last = issuer
  }
}

const isIssuer = (issuer: X509Certificate, of: X509Certificate) =>
  of.issuer === issuer.subject && of.verify(issuer.publicKey)

const isServed = (name: string) => readName(name.replace(/^\*\./, '')) !== undefined

function readKey(der: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    throw new KeystoreRefused('its private key cannot be read')
  }
}

function readDer(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch {
    throw new KeystoreRefused('a certificate of it cannot be read')
  }
}

const pemOf = (certificate: X509Certificate) => `${certificate.toString().trimEnd()}\n`
const iso = (time: number) => new Date(time).toISOString()
