/** Judges keys by their form before OpenSSL reads them: of some it computes a part at once, which takes as long as the file says. */
import { malformedError, readDer, readOid } from './der.ts'
import { KeystoreRefused } from './keystore-refused.ts'

interface Element {
  readonly tag: number
  /** With tag and length. */
  readonly whole: Uint8Array
  readonly content: Uint8Array
}

const tags = { integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30, context0: 0xa0 } as const

/** rsaEncryption (RFC 8017 Appendix C) and id-ecPublicKey (RFC 5480 §2.1.1). */
const rsa = '1.2.840.113549.1.1.1'
const ec = '1.2.840.10045.2.1'
/** Also id-RSASSA-PSS, Ed25519 and Ed448 (RFC 8410): an authority may have such a key. */
const publicKinds = [rsa, ec, '1.2.840.113549.1.1.10', '1.3.101.112', '1.3.101.113']

/** `der`: PKCS#8 (RFC 5958 §2). Throws KeystoreRefused for a key that no server has. */
export function requireServerKey(der: Uint8Array): void {
  const [, algorithm, key] = readSequence(readFirst(der))
  const kind = readKind(algorithm)
  // Of DSA and DH, OpenSSL computes the public key.
  if (kind !== rsa && kind !== ec)
    throw new KeystoreRefused(`its key is ${kind}, and not RSA or EC`)
  if (key?.tag !== tags.octets) throw malformedError()
  const parts = readSequence(readFirst(key.content))
  if (kind === rsa) requireTwoPrimes(parts)
  // ECPrivateKey (RFC 5915 §3) may name the curve once more.
  else
    for (const { tag, content } of parts)
      if (tag === tags.context0) requireNamed(readFirst(content))
}

/** `der`: X.509. Throws KeystoreRefused where its public key is none that certificates of servers and their authorities have. */
export function requireCertificateKey(der: Uint8Array): void {
  const [signed] = readSequence(readFirst(der))
  // The version may stand in front (RFC 5280 §4.1).
  const parts = readSequence(signed)
  const [algorithm] = readSequence(parts[parts[0]?.tag === tags.context0 ? 6 : 5])
  const kind = readKind(algorithm)
  if (!publicKinds.includes(kind))
    throw new KeystoreRefused(`one of its certificates has a key of an unknown kind: ${kind}`)
}

/** The kind of a key, by its identifier. */
function readKind(algorithm: Element | undefined): string {
  const [id, parameters] = readSequence(algorithm)
  if (id?.tag !== tags.oid) throw malformedError()
  const kind = readOid(readDer(id.whole))
  if (kind === ec) requireNamed(parameters)
  return kind
}

/** RFC 5480 §2.1.1. Of a curve that the file describes itself, OpenSSL takes square roots, which may take a second each. */
function requireNamed(curve: Element | undefined): void {
  if (curve?.tag !== tags.oid)
    throw new KeystoreRefused('one of its keys is on a curve without a name')
}

/** RSAPrivateKey (RFC 8017 Appendix A.1.2). Of a key with more primes, OpenSSL multiplies all of them. */
function requireTwoPrimes([version]: readonly Element[]): void {
  if (version?.tag !== tags.integer) throw malformedError()
  if (version.content.length !== 1 || version.content[0] !== 0)
    throw new KeystoreRefused('its key has more than two primes')
}

const readSequence = (element: Element | undefined): readonly Element[] => {
  if (element?.tag !== tags.sequence) throw malformedError()
  return readElements(element.content)
}

const readFirst = (bytes: Uint8Array): Element | undefined => readElements(bytes, 1)[0]

/**
 * Elements of a definite length (X.690 §8.1.3) and with short tags, as all have between the outermost one and the key: no other reader sees
 * other borders.
 */
function readElements(bytes: Uint8Array, max = 12): readonly Element[] {
  const found: Element[] = []
  for (let at = 0; at < bytes.length && found.length < max; ) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2)
    const count = first < 0x80 ? 0 : first - 0x80
    const start = at + 2 + count
    const length =
      count === 0
        ? first
        : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 0x100 + byte, 0)
    const end = start + length
    if (first === 0x80 || count > 4 || (tag & 0x1f) === 0x1f || end > bytes.length)
      throw malformedError()
    found.push({ tag, whole: bytes.subarray(at, end), content: bytes.subarray(start, end) })
    at = end
  }
  return found
}
