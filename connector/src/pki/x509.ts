/** Makes and reads X.509 certificates: the local root, the leaf it signs, and a certificate for one key. */
import './metadata.ts'
// Once more: a bundle loads a file that it imports first, the sources a package.
import 'reflect-metadata'
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { promisify } from 'node:util'
import * as x509 from '@peculiar/x509'
import {
  type ConstraintKind,
  type Constraints,
  decodeConstraints,
  encodeConstraints,
  nameConstraintsOid,
} from './constraints.ts'
import { localNames, type Name, readName } from './names.ts'

/** A certificate and its private key (PKCS#8), both PEM. */
export interface Pair {
  readonly cert: string
  readonly key: string
}

/** What a certificate says. */
export interface Facts {
  readonly pem: string
  readonly der: Uint8Array<ArrayBuffer>
  readonly subject: string
  readonly issuer: string
  /** Lower-case hexadecimal, without leading zeros that DER adds. */
  readonly serial: string
  /** Milliseconds since 1970, UTC. */
  readonly notBefore: number
  readonly notAfter: number
  /** SHA-256 over the DER, lower-case hexadecimal. */
  readonly fingerprint: string
  /** Subject alternative names: host names and addresses. */
  readonly names: readonly string[]
  readonly constraints: Constraints
  /** A certificate authority that may sign certificates. */
  readonly authority: boolean
  /** For TLS servers, or for anything. */
  readonly forServers: boolean
}

const day = 24 * 60 * 60 * 1000
/** How long a root holds, in milliseconds: ten years. */
export const rootLifeMs = 3652 * day
/** How long a leaf holds, in milliseconds: under 398 days (CA/Browser Forum BR §6.3.2; some clients refuse more). */
export const leafLifeMs = 397 * day
/** Certificates start a little in the past, for clocks that are a little slow. */
const slackMs = 60 * 60 * 1000

/** The specification's size (Limits). */
const rootKeyBits = 4096
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

// `subtle.generateKey` stops Bun's loop for up to 1.6 s at this size; this one works beside it.
const makeKeys = promisify(generateKeyPair)

export interface RootOrder {
  /** Milliseconds since 1970, UTC. */
  readonly now: number
  /** Whose root this is, for people who read a list of certificates: `user@machine`. */
  readonly owner: string
  readonly constraints: ConstraintKind
  /** Names it may sign for, beside the local ones. */
  readonly hosts: readonly Name[]
}

/** Makes a root: RSA-4096, for the local names and `hosts` alone unless `constraints` says otherwise. */
export async function makeRoot(order: RootOrder): Promise<Pair> {
  const made = await makeKeys('rsa', { modulusLength: rootKeyBits })
  const keys = await importPair(made, rsa)
  const serial = randomSerial()
  const { KeyUsageFlags: use } = x509
  const permitted = [...namesOf(localNames), ...order.hosts]
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial,
    // Two roots of one machine never share a name: path building would confuse them.
    name: distinguishedName(`Cardwire local root ${serial.slice(0, 8)}`, order.owner),
    notBefore: new Date(order.now - slackMs),
    notAfter: new Date(order.now - slackMs + rootLifeMs),
    keys,
    signingAlgorithm: rsa,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(use.keyCertSign | use.cRLSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(order.constraints === 'none'
        ? []
        : [
            new x509.Extension(
              nameConstraintsOid,
              true,
              encodeConstraints(order.constraints, permitted),
            ),
          ]),
    ],
  })
  return { cert: pemOf(certificate), key: keyPem(made.privateKey) }
}

/** Makes a leaf for the local names and `hosts`: ECDSA P-256, signed by the root. */
export async function makeLeaf(
  root: Pair,
  order: { readonly now: number; readonly hosts: readonly Name[] },
): Promise<Pair> {
  const issuer = new x509.X509Certificate(root.cert)
  const signingKey = await importPrivate(createPrivateKey(root.key), rsa)
  const made = await makeKeys('ec', { namedCurve: 'P-256' })
  const keys = await importPair(made, p256)
  const names = [...namesOf(localNames), ...order.hosts]
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomSerial(),
    subject: distinguishedName('localhost'),
    issuer: issuer.subjectName,
    notBefore: new Date(Math.max(order.now - slackMs, issuer.notBefore.getTime())),
    notAfter: new Date(Math.min(order.now - slackMs + leafLifeMs, issuer.notAfter.getTime())),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: rsa,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map(({ kind, value }) => ({ type: kind, value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert: pemOf(certificate), key: keyPem(made.privateKey) }
}

/**
 * Makes a self-signed certificate for an RSA key (PKCS#8, PEM), PEM: no authority, no server, only a key with a name.
 * `host` is the machine it belongs to.
 */
export async function certifyKey(key: string, host: string, now = Date.now()): Promise<string> {
  const privateKey = createPrivateKey(key)
  const keys = await importPair({ privateKey, publicKey: createPublicKey(privateKey) }, rsa)
  const { KeyUsageFlags: use } = x509
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name: distinguishedName('Cardwire device', host),
    notBefore: new Date(now - slackMs),
    notAfter: new Date(now - slackMs + rootLifeMs),
    keys,
    signingAlgorithm: rsa,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(use.digitalSignature | use.keyEncipherment, true),
    ],
  })
  return pemOf(certificate)
}

/** Reads a certificate (PEM). Throws when it is none. */
export function readCertificate(pem: string): Facts {
  const certificate = new x509.X509Certificate(pem)
  const der = new Uint8Array(certificate.rawData)
  const { BasicConstraintsExtension, KeyUsagesExtension, ExtendedKeyUsageExtension } = x509
  const basic = certificate.getExtension(BasicConstraintsExtension)
  const usages = certificate.getExtension(KeyUsagesExtension)?.usages
  const purposes = certificate.getExtension(ExtendedKeyUsageExtension)?.usages
  const alternative = certificate.getExtension(x509.SubjectAlternativeNameExtension)
  const constraints = certificate.getExtension(nameConstraintsOid)
  const signs = usages === undefined || (usages & x509.KeyUsageFlags.keyCertSign) !== 0
  return {
    pem,
    der,
    subject: certificate.subject,
    issuer: certificate.issuer,
    serial: certificate.serialNumber.replace(/^(00)+(?=.)/, ''),
    notBefore: certificate.notBefore.getTime(),
    notAfter: certificate.notAfter.getTime(),
    fingerprint: createHash('sha256').update(der).digest('hex'),
    names: (alternative?.names.items ?? []).map(({ value }) => readName(value)?.value ?? value),
    constraints: decodeConstraints(constraints ? new Uint8Array(constraints.value) : undefined),
    authority: basic?.ca === true && signs,
    forServers:
      purposes === undefined || purposes.some((purpose) => serverPurposes.has(String(purpose))),
  }
}

/** Whether a certificate was signed by the key of another. */
export function isSignedBy(certificate: string, issuer: string): boolean {
  const [signed, signer] = [new X509Certificate(certificate), new X509Certificate(issuer)]
  return signed.issuer === signer.subject && signed.verify(signer.publicKey)
}

/** Whether a private key (PEM) belongs to a certificate; false also when it cannot be read. */
export function isKeyOf(key: string, certificate: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

const serverPurposes = new Set<string>([
  x509.ExtendedKeyUsage.serverAuth,
  // anyExtendedKeyUsage, RFC 5280 §4.2.1.12.
  '2.5.29.37.0',
])

/** 128 bits, positive and of full length (specification, Limits): the first bit is 0, the second 1. */
function randomSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

const namesOf = (names: readonly string[]): readonly Name[] =>
  names.flatMap((name) => readName(name) ?? [])

const distinguishedName = (commonName: string, unit?: string): x509.JsonName => [
  { O: ['Cardwire'] },
  ...(unit === undefined ? [] : [{ OU: [unit] }]),
  { CN: [commonName] },
]

const pemOf = (certificate: x509.X509Certificate) => `${certificate.toString('pem')}\n`

interface KeyObjects {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

async function importPair(keys: KeyObjects, algorithm: typeof rsa | typeof p256) {
  const spki = new Uint8Array(keys.publicKey.export({ type: 'spki', format: 'der' }))
  return {
    privateKey: await importPrivate(keys.privateKey, algorithm),
    publicKey: await crypto.subtle.importKey('spki', spki, algorithm, true, ['verify']),
  }
}

function importPrivate(key: KeyObject, algorithm: typeof rsa | typeof p256) {
  const pkcs8 = new Uint8Array(key.export({ type: 'pkcs8', format: 'der' }))
  return crypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign'])
}

const keyPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
