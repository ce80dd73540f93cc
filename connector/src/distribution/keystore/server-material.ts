/** Selects what a TLS server needs from a keystore: one key with its certificate, the chain, and the names. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readCertificate } from '../../pki/certificate.ts'
import { readName } from '../../pki/names.ts'
import { KeystoreRefused } from './keystore-refused.ts'
import type { Pkcs12Contents } from './pkcs12.ts'

export interface ServerMaterial {
  /** The certificate and its intermediates, PEM. */
  readonly cert: string
  /** PKCS#8, PEM. It leaves the process only for a file that its owner alone can read. */
  readonly key: string
  /** Host names and addresses, lower case; a wildcard replaces one label. */
  readonly names: readonly string[]
  /** Milliseconds since 1970, UTC. */
  readonly notAfter: number
}

/** The keys that browsers accept (CA/Browser Forum BR §6.1.5). */
const minRsaBits = 2048
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

/** `now` is milliseconds since 1970. Throws KeystoreRefused. */
export function toServerMaterial(
  { keys, certificates }: Pkcs12Contents,
  now: number,
): ServerMaterial {
  const { key, leaf, others } = findKeyPair(keys.map(readKey), certificates.map(readCertificateDer))
  const reason = findKeyFault(key)
  if (reason !== undefined) throw new KeystoreRefused(reason)
  const facts = readCertificate(toPem(leaf))
  if (facts.notAfter <= now)
    throw new KeystoreRefused(`its certificate expired at ${toIsoTime(facts.notAfter)}`)
  if (facts.notBefore > now) {
    throw new KeystoreRefused(`its certificate is not valid before ${toIsoTime(facts.notBefore)}`)
  }
  if (!facts.forServers) throw new KeystoreRefused('its certificate is not for servers')
  const names = facts.names.filter(isHostName)
  if (names.length === 0) {
    throw new KeystoreRefused('its certificate names no host (subject alternative names)')
  }
  return {
    cert: [leaf, ...buildChain(leaf, others)].map(toPem).join(''),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    names: names.map((name) => name.toLowerCase()),
    notAfter: facts.notAfter,
  }
}

/** The first key with a certificate of it. */
function findKeyPair(keys: readonly KeyObject[], certificates: readonly X509Certificate[]) {
  if (keys.length === 0) throw new KeystoreRefused('it holds no private key')
  if (certificates.length === 0) throw new KeystoreRefused('it holds no certificate')
  for (const key of keys) {
    const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key))
    if (leaf) return { key, leaf, others: certificates.filter((one) => one !== leaf) }
  }
  throw new KeystoreRefused('its certificate belongs to another key')
}

function findKeyFault({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'ec') {
    const curve = asymmetricKeyDetails?.namedCurve ?? 'unknown'
    return curves.includes(curve) ? undefined : `its key has the curve ${curve}`
  }
  if (asymmetricKeyType !== 'rsa') return `its key is ${asymmetricKeyType}, and not RSA or EC`
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  return bits >= minRsaBits ? undefined : `its key has ${bits} bits, fewer than ${minRsaBits}`
}

/** From issuer to issuer, without the root: browsers have it. */
function buildChain(
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

const isHostName = (name: string) => readName(name.replace(/^\*\./, '')) !== undefined

function readKey(der: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    throw new KeystoreRefused('its private key cannot be read')
  }
}

function readCertificateDer(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch {
    throw new KeystoreRefused('one of its certificates cannot be read')
  }
}

const toPem = (certificate: X509Certificate) => `${certificate.toString().trimEnd()}\n`
const toIsoTime = (time: number) => new Date(time).toISOString()
