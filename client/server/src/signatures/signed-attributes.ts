/** The attributes that are signed in place of the content: those of CAdES B-B (ETSI EN 319 122-1 §6.3), written and read. */
import { fromBER, GeneralizedTime, OctetString, UTCTime } from 'asn1js'
import { type Bytes, encode, isEqual, readElements, sequence, setOf, tags } from '../der.ts'
import { readIssuerAndSerial } from './certificate-parts.ts'
import { encodeIdentifier, identifiers } from './identifiers.ts'
import {
  digest,
  encodeHashAlgorithm,
  findHash,
  type SignatureHash,
} from './signature-algorithms.ts'
import { type Attributes, encodeAttribute, readAlgorithm, readIdentifier } from './signed-data.ts'

export interface SignedAttributes {
  /** The digest of the content, by `hash`. */
  readonly digest: Uint8Array
  readonly hash: SignatureHash
  readonly certificate: Bytes
  readonly signingTime?: Date | undefined
}

/** In DER, with the tag of a set: what the key signs (RFC 5652 §5.4). */
export async function encodeSignedAttributes(attributes: SignedAttributes): Promise<Bytes> {
  const { hash, certificate, signingTime } = attributes
  return setOf(tags.set, [
    encodeAttribute(identifiers.contentType, encodeIdentifier(identifiers.data)),
    encodeAttribute(identifiers.messageDigest, encode(tags.octets, attributes.digest)),
    encodeAttribute(
      identifiers.signingCertificateV2,
      encodeSigningCertificate(hash, await digest(hash, certificate)),
    ),
    ...(signingTime ? [encodeAttribute(identifiers.signingTime, encodeTime(signingTime))] : []),
  ])
}

/**
 * SigningCertificateV2 with one ESSCertIDv2 (RFC 5035 §3). The hash is left out where it is the default, as DER demands, and so is
 * issuerSerial, which says nothing that the hash does not (ETSI EN 319 122-1 §6.3).
 */
function encodeSigningCertificate(hash: SignatureHash, certificateHash: Bytes): Bytes {
  const algorithm = hash === defaultCertificateHash ? [] : [encodeHashAlgorithm(hash)]
  return sequence(sequence(sequence(...algorithm, encode(tags.octets, certificateHash))))
}

const defaultCertificateHash = 'SHA-256'

/** Whole seconds: UTCTime until 2049, GeneralizedTime then (RFC 5652 §11.3). */
function encodeTime(time: Date): Bytes {
  const seconds = new Date(Math.floor(time.getTime() / 1000) * 1000)
  const year = seconds.getUTCFullYear()
  const Time = year >= 1950 && year < 2050 ? UTCTime : GeneralizedTime
  return new Uint8Array(new Time({ valueDate: seconds }).toBER())
}

/** The only value of an attribute; undefined where it is missing. Throws where it has several. */
function readValue(attributes: Attributes, identifier: string): Bytes | undefined {
  const values = attributes.get(identifier)
  if (values === undefined) return undefined
  const [value, ...more] = values
  if (value === undefined || more.length > 0) throw new Error('an attribute without one value')
  return value
}

/** The type of the content. Throws where there is none. */
export const readContentType = (attributes: Attributes): string =>
  readIdentifier(readValue(attributes, identifiers.contentType))

/** The digest of the content. Throws where there is none. */
export function readMessageDigest(attributes: Attributes): Bytes {
  const { result } = fromBER(readValue(attributes, identifiers.messageDigest) ?? new Uint8Array())
  if (!(result instanceof OctetString)) throw new Error('no digest')
  return new Uint8Array(result.getValue())
}

/** The time that the signer claims; undefined where there is none. */
export function readSigningTime(attributes: Attributes): Date | undefined {
  const value = readValue(attributes, identifiers.signingTime)
  if (value === undefined) return undefined
  const { result } = fromBER(value)
  // GeneralizedTime is one, too.
  const time = result instanceof UTCTime ? result.toDate() : undefined
  if (time === undefined || Number.isNaN(time.getTime())) throw new Error('no time')
  return time
}

/**
 * Whether the attributes name a certificate: by the first element of SigningCertificateV2, or of SigningCertificate with its SHA-1, which
 * is older and still that of many timestamps (RFC 3161 §2.4.2, RFC 5816). Undefined where they name none. Throws for what cannot be read.
 */
export async function namesCertificate(
  attributes: Attributes,
  certificate: Bytes,
  { acceptsSha1 }: { readonly acceptsSha1: boolean },
): Promise<boolean | undefined> {
  const value = readValue(attributes, identifiers.signingCertificateV2)
  if (value !== undefined) return isNamed(value, certificate, defaultCertificateHash)
  const older = readValue(attributes, identifiers.signingCertificate)
  return acceptsSha1 && older !== undefined ? isNamed(older, certificate, 'SHA-1') : undefined
}

async function isNamed(
  value: Bytes,
  certificate: Bytes,
  defaultHash: SignatureHash | 'SHA-1',
): Promise<boolean> {
  const [list] = readElements(readContent(value))
  const [first] = readElements(readContent(list?.whole))
  const parts = [...readElements(readContent(first?.whole))]
  const algorithm = parts[0]?.tag === tags.sequence ? parts.shift() : undefined
  const hash = algorithm ? findHash(readAlgorithm(algorithm.whole)) : defaultHash
  const [certificateHash, issuerAndSerial] = parts
  if (hash === undefined || certificateHash?.tag !== tags.octets) throw new Error('another hash')
  return (
    isEqual(certificateHash.content, await digest(hash, certificate)) &&
    (issuerAndSerial === undefined || isIssuedAs(issuerAndSerial.whole, certificate))
  )
}

/** IssuerSerial has the name of the issuer as one of several names: `[4]` with the name in it (RFC 5280 §4.2.1.6). */
function isIssuedAs(issuerSerial: Bytes, certificate: Bytes): boolean {
  const [names, serial] = readElements(readContent(issuerSerial))
  const [name, ...others] = readElements(readContent(names?.whole))
  if (!name || !serial || others.length > 0) return false
  return isEqual(sequence(name.content, serial.whole), readIssuerAndSerial(certificate))
}

function readContent(element: Bytes | undefined): Bytes {
  const [read] = readElements(element ?? new Uint8Array())
  if (read === undefined) throw new Error('a part is missing')
  return read.content
}
