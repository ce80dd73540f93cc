/** Decides which certificate may be in a trust store: a root of a connector that signs for this machine's own names, and nothing else. */
import { X509Certificate } from 'node:crypto'
import { rootLifeMs } from './certificate.ts'
import { decodeStrict, type Element, toHex } from './der.ts'
import { findConstraintFault } from './root-constraints.ts'

/**
 * A root that may be trusted. Only `judge` makes one, so every one of them was judged. It has what was judged
 * and nothing of the text around it.
 */
export class TrustableRoot {
  readonly #der: Uint8Array<ArrayBuffer>
  /** SHA-256 over the DER, lower-case hexadecimal. */
  readonly fingerprint: string

  private constructor(der: Uint8Array<ArrayBuffer>, fingerprint: string) {
    this.#der = der
    this.fingerprint = fingerprint
  }

  get der(): Uint8Array<ArrayBuffer> {
    return this.#der
  }

  /**
   * The root, or why it must not be trusted, without a word of the certificate. `text` is a file, PEM. `hosts` are the names of
   * this machine beside localhost, 127.0.0.1 and ::1. What is not known is refused.
   */
  static judge(text: string, hosts: readonly string[]): TrustableRoot | string {
    try {
      const der = decodePem(text)
      if (der === undefined) return faults.text
      const shapeFault = findShapeFault(der, hosts)
      if (shapeFault !== undefined) return shapeFault
      const read = new X509Certificate(der)
      const fault = findValidityFault(read) ?? findKeyFault(read) ?? findEncodingFault(read, der)
      if (fault !== undefined) return fault
      return new TrustableRoot(der, read.fingerprint256.replaceAll(':', '').toLowerCase())
    } catch {
      return faults.encoding
    }
  }
}

const faults = {
  text: 'its file must contain one certificate in PEM, and nothing else',
  encoding: 'it is not a certificate in DER',
  fields: 'it has other fields than the root certificate of a connector',
  version: 'its version is not 3',
  algorithm: 'its signature is not RSA with SHA-256',
  issuer: 'its issuer is not itself',
  name: 'its name is not that of a connector’s root certificate',
  duplicate: 'it has an extension twice',
  unknown: 'it has an extension that the root certificate of a connector does not have',
  missing: 'it lacks an extension that the root certificate of a connector has',
  critical: 'it marks the wrong extensions as critical',
  basic: 'it is not an authority that signs only leaves',
  usage: 'its key is for more than signing certificates',
  purposes: 'it is not for TLS servers only',
  keyId: 'its key identifier cannot be read',
  validity: 'it is valid for longer than ten years',
  key: 'its key is not RSA of 2,048 bits or more with the exponent 65,537',
  signature: 'its signature was not made with its key',
} as const

/** A root has some two thousand bytes, and with a hundred long names not half of this. */
const maxDerBytes = 60_000

const pemLines = { begin: '-----BEGIN CERTIFICATE-----', end: '-----END CERTIFICATE-----' }

function decodePem(file: string): Uint8Array<ArrayBuffer> | undefined {
  const text = file.trim()
  // Base64 is a third longer, and has line breaks.
  if (text.length > 1.5 * maxDerBytes) return undefined
  if (!text.startsWith(pemLines.begin) || !text.endsWith(pemLines.end)) return undefined
  const base64 = text.slice(pemLines.begin.length, -pemLines.end.length).replace(/[\t\n\r ]/g, '')
  const der = new Uint8Array(Buffer.from(base64, 'base64'))
  return Buffer.from(der).toString('base64') === base64 ? der : undefined
}

// RFC 5280 §4.1. The fields of the signed part: version, serial number, algorithm, issuer, validity, subject, key, extensions.
const tags = { sequence: 0x30, set: 0x31, oid: 0x06, boolean: 0x01, octets: 0x04, bits: 0x03 }
const signedTags = [0xa0, 0x02, 0x30, 0x30, 0x30, 0x30, 0x30, 0xa3]
const version3 = '020102'
// RFC 4055 §5.
const sha256WithRsa = '06092a864886f70d01010b0500'

function findShapeFault(der: Uint8Array, hosts: readonly string[]): string | undefined {
  const [signed, algorithm] = decodeTagged(decodeOne(der, tags.sequence), [
    tags.sequence,
    tags.sequence,
    tags.bits,
  ])
  const fields = decodeStrict(signed ?? new Uint8Array())
  const [version, , innerAlgorithm, issuer, , subject, , extensions] = fields
  if (!version || !innerAlgorithm || !issuer || !subject || !extensions || !algorithm)
    return faults.fields
  if (fields.some(({ tag }, at) => tag !== signedTags[at])) return faults.fields
  if (toHex(version.content) !== version3) return faults.version
  const algorithms = [innerAlgorithm.content, algorithm].map(toHex)
  if (algorithms.some((each) => each !== sha256WithRsa)) return faults.algorithm
  if (toHex(issuer.content) !== toHex(subject.content)) return faults.issuer
  if (!isNameOfRoot(subject.content)) return faults.name
  return findExtensionFault(extensions.content, hosts)
}

interface ExtensionRule {
  /** undefined: both are right. */
  readonly critical: boolean | undefined
  readonly findFault: (value: Uint8Array, hosts: readonly string[]) => string | undefined
}

const equals =
  (fault: string, ...values: readonly string[]) =>
  (value: Uint8Array) =>
    values.includes(toHex(value)) ? undefined : fault

/** By the identifier in hexadecimal: all that a root has, and no other. RFC 5280 §4.2.1. */
const rules: Readonly<Record<string, ExtensionRule>> = {
  // An authority with the path length 0.
  '551d13': { critical: true, findFault: equals(faults.basic, '30060101ff020100') },
  // keyCertSign, with cRLSign or without.
  '551d0f': { critical: true, findFault: equals(faults.usage, '03020106', '03020204') },
  // id-kp-serverAuth.
  '551d25': { critical: undefined, findFault: equals(faults.purposes, '300a06082b06010505070301') },
  '551d0e': {
    critical: false,
    findFault: (value) => (decodeOne(value, tags.octets).length > 0 ? undefined : faults.keyId),
  },
  '551d1e': { critical: true, findFault: findConstraintFault },
}

function findExtensionFault(list: Uint8Array, hosts: readonly string[]): string | undefined {
  const seen = new Set<string>()
  for (const { tag, content } of decodeStrict(decodeOne(list, tags.sequence))) {
    const [id, ...others] = decodeStrict(content)
    const value = others.pop()
    if (tag !== tags.sequence || id?.tag !== tags.oid || value?.tag !== tags.octets)
      return faults.encoding
    const oid = toHex(id.content)
    const rule = rules[oid]
    if (rule === undefined) return faults.unknown
    if (seen.has(oid)) return faults.duplicate
    seen.add(oid)
    const isCritical = readCritical(others)
    if (rule.critical !== undefined && rule.critical !== isCritical) return faults.critical
    const fault = rule.findFault(value.content, hosts)
    if (fault !== undefined) return fault
  }
  return seen.size === Object.keys(rules).length ? undefined : faults.missing
}

/** What stands between the identifier and the value: DER writes the default, not critical, by nothing. */
function readCritical(between: readonly Element[]): boolean {
  const [flag, ...others] = between
  if (flag === undefined) return false
  if (others.length > 0 || flag.tag !== tags.boolean || toHex(flag.content) !== 'ff')
    throw new Error(faults.encoding)
  return true
}

// id-at-organizationName and id-at-commonName.
const nameOids = { organization: '55040a', commonName: '550403' }

/** A root with the name of another authority would confuse clients that build paths to that one. */
function isNameOfRoot(name: Uint8Array): boolean {
  const parts = decodeStrict(name).map(({ content }) => {
    const [id, value] = decodeStrict(decodeOne(content, tags.sequence))
    return { oid: toHex(id?.content ?? content), text: new TextDecoder().decode(value?.content) }
  })
  const find = (oid: string) => parts.find((part) => part.oid === oid)?.text
  const commonName = find(nameOids.commonName)
  return (
    find(nameOids.organization) === 'Cardwire' &&
    commonName !== undefined &&
    /^Cardwire local root [0-9a-f]{8}$/.test(commonName)
  )
}

/** A root that is forgotten in a store ends. Whether it is valid by now is not asked: the clock may be wrong. */
function findValidityFault({ validFrom, validTo }: X509Certificate): string | undefined {
  const lifeMs = Date.parse(validTo) - Date.parse(validFrom)
  return lifeMs > 0 && lifeMs <= rootLifeMs ? undefined : faults.validity
}

function findKeyFault({ publicKey }: X509Certificate): string | undefined {
  const { modulusLength = 0, publicExponent } = publicKey.asymmetricKeyDetails ?? {}
  const isStrong = modulusLength >= 2048 && publicExponent === 65_537n
  return publicKey.asymmetricKeyType === 'rsa' && isStrong ? undefined : faults.key
}

function findEncodingFault(read: X509Certificate, der: Uint8Array): string | undefined {
  if (toHex(new Uint8Array(read.raw)) !== toHex(der)) return faults.encoding
  return read.verify(read.publicKey) ? undefined : faults.signature
}

/** The content of data that is one element with this tag. */
function decodeOne(data: Uint8Array, tag: number): Uint8Array {
  const [content] = decodeTagged(data, [tag])
  return content ?? new Uint8Array()
}

/** The contents of elements with exactly these tags. */
function decodeTagged(data: Uint8Array, wanted: readonly number[]): readonly Uint8Array[] {
  const elements = decodeStrict(data)
  if (elements.map(({ tag }) => tag).join() !== wanted.join()) throw new Error(faults.encoding)
  return elements.map(({ content }) => content)
}
