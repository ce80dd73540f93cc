/** Creates X.509 certificates: the local root, the leaf it signs, and a self-signed certificate for a key. */
import './reflect-metadata.ts'
// Imported twice: a bundle loads an imported file first, the sources an imported package.
import 'reflect-metadata'
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { promisify } from 'node:util'
import * as x509 from '@peculiar/x509'
import { type CertificateKeyPair, leafLifeMs, rootLifeMs } from './certificate.ts'
import { type ConstraintKind, encodeConstraints, nameConstraintsOid } from './constraints.ts'
import { localNames, type Name, readName } from './names.ts'

/** Certificates are valid from a little earlier, in milliseconds, for clocks that are slow. */
export const slackMs = 60 * 60 * 1000

/** The specification's size (Limits). */
const rootKeyBits = 4096
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
export const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

// `subtle.generateKey` stops Bun's loop for up to 1.6 s at this size; this one works beside it.
export const generateKeys = promisify(generateKeyPair)

export type MakeRootKeys = () => Promise<KeyObjects>

export interface RootOptions {
  /** Milliseconds since 1970, UTC. */
  readonly now: number
  /** The owner, for people who read a list of certificates: `user@machine`. */
  readonly owner: string
  readonly constraints: ConstraintKind
  /** Names that it may sign for beside the local ones. */
  readonly hosts: readonly Name[]
  /** Makes its RSA-4096 keys; generates them by default. */
  readonly makeKeys?: MakeRootKeys | undefined
}

/** Makes a root: RSA-4096, for the local names and `hosts` alone unless `constraints` says otherwise. */
export async function makeRoot(options: RootOptions): Promise<CertificateKeyPair> {
  const made = await (options.makeKeys ?? generateRootKeys)()
  const keys = await importPair(made, rsa)
  const serial = randomSerial()
  const { KeyUsageFlags: use } = x509
  const permitted = [...readNames(localNames), ...options.hosts]
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial,
    // Two roots of one machine never share a name, or path building would confuse them.
    name: toDistinguishedName(`Cardwire local root ${serial.slice(0, 8)}`, options.owner),
    notBefore: new Date(options.now - slackMs),
    notAfter: new Date(options.now - slackMs + rootLifeMs),
    keys,
    signingAlgorithm: rsa,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(use.keyCertSign | use.cRLSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(options.constraints === 'none'
        ? []
        : [
            new x509.Extension(
              nameConstraintsOid,
              true,
              encodeConstraints(options.constraints, permitted),
            ),
          ]),
    ],
  })
  return { cert: toPem(certificate), key: exportKey(made.privateKey) }
}

const generateRootKeys: MakeRootKeys = () => generateKeys('rsa', { modulusLength: rootKeyBits })

/** Makes a leaf for the local names and `hosts`: ECDSA P-256, signed by the root. */
export async function makeLeaf(
  root: CertificateKeyPair,
  options: { readonly now: number; readonly hosts: readonly Name[] },
): Promise<CertificateKeyPair> {
  const issuer = new x509.X509Certificate(root.cert)
  const signingKey = await importPrivate(createPrivateKey(root.key), rsa)
  const made = await generateKeys('ec', { namedCurve: 'P-256' })
  const keys = await importPair(made, p256)
  const names = [...readNames(localNames), ...options.hosts]
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomSerial(),
    subject: toDistinguishedName('localhost'),
    issuer: issuer.subjectName,
    notBefore: new Date(Math.max(options.now - slackMs, issuer.notBefore.getTime())),
    notAfter: new Date(Math.min(options.now - slackMs + leafLifeMs, issuer.notAfter.getTime())),
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
  return { cert: toPem(certificate), key: exportKey(made.privateKey) }
}

/**
 * Makes a self-signed certificate for an RSA key (PKCS#8, PEM), PEM: neither for an authority nor for a server.
 * `host` is the machine it belongs to.
 */
export async function certifyKey(key: string, host: string, now = Date.now()): Promise<string> {
  const privateKey = createPrivateKey(key)
  const keys = await importPair({ privateKey, publicKey: createPublicKey(privateKey) }, rsa)
  const { KeyUsageFlags: use } = x509
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name: toDistinguishedName('Cardwire device', host),
    notBefore: new Date(now - slackMs),
    notAfter: new Date(now - slackMs + rootLifeMs),
    keys,
    signingAlgorithm: rsa,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(use.digitalSignature | use.keyEncipherment, true),
    ],
  })
  return toPem(certificate)
}

/** 128 bits, positive and of full length (specification, Limits): the first bit is 0, the second 1. */
export function randomSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

const readNames = (names: readonly string[]): readonly Name[] =>
  names.flatMap((name) => readName(name) ?? [])

const toDistinguishedName = (commonName: string, unit?: string): x509.Name =>
  new x509.Name([
    { O: ['Cardwire'] },
    ...(unit === undefined ? [] : [{ OU: [toNameText(unit)] }]),
    { CN: [commonName] },
  ])

/** As it is: of a plain text, such as the name of an account, the library reads one with "#" as DER, and drops quotes and backslashes. */
const toNameText = (text: string) => ({ utf8String: text.toWellFormed() })

export const toPem = (certificate: x509.X509Certificate) => `${certificate.toString('pem')}\n`

interface KeyObjects {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export async function importPair(keys: KeyObjects, algorithm: typeof rsa | typeof p256) {
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

export const exportKey = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
