/** Object identifiers of signatures, and how they are written. */
import { ObjectIdentifier } from 'asn1js'
import type { Bytes } from '../der.ts'

export const identifiers = {
  /** RFC 5652. */
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  /** RFC 6211. */
  algorithmProtection: '1.2.840.113549.1.9.52',
  /** RFC 2634 and RFC 5035. */
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  /** RFC 3161. */
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
} as const

export const encodeIdentifier = (identifier: string): Bytes =>
  new Uint8Array(new ObjectIdentifier({ value: identifier }).toBER())
