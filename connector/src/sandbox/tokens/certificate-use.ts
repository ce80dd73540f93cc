/** What the key of a certificate is for, by its key usage, and whether the certificate is one of an authority. */
import { X509Certificate } from 'node:crypto'
import {
  isForAuthentication,
  readStatedUsages,
  type StatedUsages,
  usageBits,
} from '../../pki/key-usage.ts'
import type { AuthorityRole, Purpose } from '../card-modules/card-module.ts'

export interface CertificateUse {
  readonly purpose: Purpose
  /** One to authenticate with is for signatures that count as well. */
  readonly alsoSigns: boolean
  /** Of a certificate that may certify others; undefined: it may not. */
  readonly authority: AuthorityRole | undefined
}

/** How its certificate is listed. A key that a verifier takes as one to authenticate with is one, whatever else it is for. */
export function findPurpose(stated: StatedUsages): Omit<CertificateUse, 'authority'> {
  const { usage = usageBits.digitalSignature } = stated
  const has = (bits: number) => (usage & bits) !== 0
  const signsThatCount = has(usageBits.nonRepudiation)
  if (!has(usageBits.digitalSignature | usageBits.nonRepudiation))
    return { purpose: 'encryption', alsoSigns: false }
  const isForNothingElse = has(usageBits.digitalSignature) && !signsThatCount
  if (isForAuthentication(stated) || isForNothingElse)
    return { purpose: 'authentication', alsoSigns: signsThatCount }
  return { purpose: 'non-repudiation', alsoSigns: false }
}

/** undefined: it is no certificate of X.509. */
export function readCertificateUse(der: Uint8Array): CertificateUse | undefined {
  try {
    const { ca, subject, issuer } = new X509Certificate(der)
    const role = subject === issuer ? 'root' : 'intermediate'
    return { ...findPurpose(readStatedUsages(der)), authority: ca ? role : undefined }
  } catch {
    return undefined
  }
}
