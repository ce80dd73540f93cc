/** Turns files into what is served and what people read. */

import { type Facts, type Pair, readCertificate } from '../pki/certificate.ts'
import type { Contents } from '../pki/folder.ts'
import type { CertificateFacts, TlsMaterial } from './certificates.ts'

/** A root, and the leaf that is served below it. */
export interface Materials {
  readonly root: Facts
  readonly tls: TlsMaterial
}

export function materialOf(leaf: Pair): TlsMaterial {
  const { notAfter, fingerprint } = readCertificate(leaf.cert)
  return { cert: leaf.cert, key: leaf.key, notAfter, fingerprint }
}

/** The leaf of files that were judged good. */
export function readableMaterial({ leafCert, leafKey }: Contents, root: Facts): Materials {
  if (leafCert === undefined || leafKey === undefined)
    throw new Error('Cannot serve without a leaf')
  return { root, tls: materialOf({ cert: leafCert, key: leafKey }) }
}

export const factsOf = (facts: Facts): CertificateFacts => ({
  subject: facts.subject,
  issuer: facts.issuer,
  serial: facts.serial,
  fingerprint: facts.fingerprint,
  notBefore: new Date(facts.notBefore).toISOString(),
  notAfter: new Date(facts.notAfter).toISOString(),
  names: facts.names,
})
