/** Reads ASN.1 values (X.690, DER and BER), as far as keystores need it. */
import forge from 'node-forge'
import { KeystoreRefused } from './keystore-refused.ts'

// Deno finds no named exports in it.
const { asn1 } = forge

/** An ASN.1 value with its tag. */
export type DerNode = ReturnType<typeof asn1.fromDer>

export const malformedError = () =>
  new KeystoreRefused('it is no PKCS#12 file, or a damaged one', 'unreadable')

/** Reads bytes that hold one value and nothing after it. Throws KeystoreRefused. */
export function readDer(bytes: Uint8Array): DerNode {
  try {
    return asn1.fromDer(Buffer.from(bytes).toString('latin1'))
  } catch {
    throw malformedError()
  }
}

/** The bytes of a value, its tag and length included. */
export const toDer = (node: DerNode): Buffer => Buffer.from(asn1.toDer(node).getBytes(), 'latin1')

/** The values in a sequence, a set or a tagged value. Throws KeystoreRefused for anything else. */
export function readChildren(node: DerNode | undefined): readonly DerNode[] {
  if (node === undefined || !Array.isArray(node.value)) throw malformedError()
  return node.value
}

/** The bytes of an octet string, in one piece or in several (BER). Throws KeystoreRefused. */
export function readOctets(node: DerNode | undefined): Buffer {
  if (node === undefined) throw malformedError()
  return Array.isArray(node.value)
    ? Buffer.concat(node.value.map(readOctets))
    : Buffer.from(node.value, 'latin1')
}

/** An object identifier, dotted. Throws KeystoreRefused. */
export function readOid(node: DerNode | undefined): string {
  try {
    return asn1.derToOid(readOctets(node).toString('latin1'))
  } catch {
    throw malformedError()
  }
}

/** A whole number that is not negative. Throws KeystoreRefused. */
export function readInteger(node: DerNode | undefined): number {
  const bytes = readOctets(node)
  const value = bytes.length > 0 && bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : -1
  if (value < 0) throw malformedError()
  return value
}

export const isOctetString = (node: DerNode | undefined): boolean =>
  node?.tagClass === asn1.Class.UNIVERSAL && node.type === asn1.Type.OCTETSTRING

/** The number of a tag that is specific to its context (X.690 §8.1.2.2); undefined for another one. */
export const readContextTag = (node: DerNode): number | undefined =>
  node.tagClass === asn1.Class.CONTEXT_SPECIFIC ? node.type : undefined
