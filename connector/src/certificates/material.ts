/** Converts certificates to what is served and what people read. */

import { type Certificate, type CertificateKeyPair, readCertificate } from '../pki/certificate.ts'
import type { CertificateTexts } from '../pki/certificate-folder.ts'
import type { CertificateInfo, TlsMaterial } from './certificates.ts'

/** A root, and the leaf that is served below it. */
export interface ActiveCertificates {
  readonly root: Certificate
  readonly tls: TlsMaterial
}

export interface ReconciledCertificates extends ActiveCertificates {
  /** The root that was in the files before; the trust stores have to remove it. */
  readonly replacedRoot?: ReplacedRoot
}

export interface ReplacedRoot {
  readonly root: Certificate
  /** PEM; undefined: there was none. */
  readonly key: string | undefined
}

export function toTlsMaterial(leaf: CertificateKeyPair): TlsMaterial {
  const { notAfter, fingerprint } = readCertificate(leaf.cert)
  return { cert: leaf.cert, key: leaf.key, notAfter, fingerprint }
}

/** The leaf of files that were validated. */
export function toActiveCertificates(
  { leafCert, leafKey }: CertificateTexts,
  root: Certificate,
): ActiveCertificates {
  if (leafCert === undefined || leafKey === undefined)
    throw new Error('Cannot serve without a leaf')
  return { root, tls: toTlsMaterial({ cert: leafCert, key: leafKey }) }
}

export const toCertificateInfo = (facts: Certificate): CertificateInfo => ({
  subject: facts.subject,
  issuer: facts.issuer,
  serial: facts.serial,
  fingerprint: facts.fingerprint,
  notBefore: new Date(facts.notBefore).toISOString(),
  notAfter: new Date(facts.notAfter).toISOString(),
  names: facts.names,
})

export const getRoot = (texts: CertificateTexts) => ({ cert: texts.rootCert, key: texts.rootKey })
export const getLeaf = (texts: CertificateTexts) => ({ cert: texts.leafCert, key: texts.leafKey })
