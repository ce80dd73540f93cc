/** Takes apart what ASN.1 holds (X.690, DER and BER), as far as keystores need it. */
import { asn1 } from 'node-forge'
import { KeystoreRefused } from './refusal.ts'

/** A value with its tag. */
export type Node = ReturnType<typeof asn1.fromDer>

export const broken = () => new KeystoreRefused('it is no PKCS#12 file, or a damaged one')

/** Reads bytes that are one value and nothing else. Throws KeystoreRefused. */
export function readDer(bytes: Uint8Array): Node {
  try {
    return asn1.fromDer(Buffer.from(bytes).toString('latin1'))
  } catch {
    throw broken()
  }
}

/** The bytes of a value, its tag and length included. */
export const derOf = (node: Node): Buffer => Buffer.from(asn1.toDer(node).getBytes(), 'latin1')

/** What is in a sequence, a set or a tagged value. Throws KeystoreRefused for anything else. */
export function partsOf(node: Node | undefined): readonly Node[] {
  if (node === undefined || !Array.isArray(node.value)) throw broken()
  return node.value
}

/** The bytes of an octet string, in one piece or in several (BER). Throws KeystoreRefused. */
export function octetsOf(node: Node | undefined): Buffer {
  if (node === undefined) throw broken()
  return Array.isArray(node.value)
    ? Buffer.concat(node.value.map(octetsOf))
    : Buffer.from(node.value, 'latin1')
}

/** An object identifier, dotted. Throws KeystoreRefused. */
export function oidOf(node: Node | undefined): string {
  try {
    return asn1.derToOid(octetsOf(node).toString('latin1'))
  } catch {
    throw broken()
  }
}

/** A whole number that is not negative. Throws KeystoreRefused. */
export function numberOf(node: Node | undefined): number {
  const bytes = octetsOf(node)
  const value = bytes.length > 0 && bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : -1
  if (value < 0) throw broken()
  return value
}

export const isOctets = (node: Node | undefined): boolean =>
  node?.tagClass === asn1.Class.UNIVERSAL && node.type === asn1.Type.OCTETSTRING
