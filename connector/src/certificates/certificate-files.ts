/** The four certificate files: reads and validates them, and has what is missing, broken or stale created. */
import type { Name } from '../pki/names.ts'
import { checkRoot, findRenewalReason, matchLeafToRoot } from '../pki/validate.ts'
import type { CertificateServices } from './certificate-services.ts'
import {
  type ActiveCertificates,
  getLeaf,
  getRoot,
  type ReconciledCertificates,
  toActiveCertificates,
} from './material.ts'
import { findLeafAgeReason, reconcile, regenerate } from './reconcile.ts'
import { readRequestedNames, readRequiredNames } from './requested-names.ts'

export interface CertificateFiles {
  /** The extra names of the settings and of the list in the folder. */
  readRequestedNames(): Promise<readonly Name[]>
  /** The certificates when they are valid and complete; undefined when something has to be done. */
  readCurrent(): Promise<ActiveCertificates | undefined>
  /** The certificates when they can still be served: they belong together and have not expired. */
  readUsable(): Promise<ActiveCertificates | undefined>
  /** Under the lock: creates what is missing or stale. */
  reconcile(): Promise<ReconciledCertificates>
  /** Under the lock: creates a new leaf, or root and leaf, whether or not the old ones are valid. */
  regenerate(what: 'leaf' | 'root'): Promise<ReconciledCertificates>
}

export function openCertificateFiles(services: CertificateServices): CertificateFiles {
  const { folder, clock } = services
  return {
    readRequestedNames: () => readRequestedNames(services),
    async readCurrent() {
      const texts = await folder.read()
      const verdict = checkRoot(getRoot(texts), clock())
      if (verdict.kind !== 'good') return undefined
      const names = await readRequiredNames(services, verdict.root)
      const reason =
        findRenewalReason(getLeaf(texts), verdict.root, names, clock()) ??
        findLeafAgeReason(services, texts)
      return reason === undefined ? toActiveCertificates(texts, verdict.root) : undefined
    },
    async readUsable() {
      const texts = await folder.read()
      const verdict = checkRoot(getRoot(texts), clock())
      if (verdict.kind !== 'good' && verdict.kind !== 'keyless') return undefined
      const leaf = matchLeafToRoot(getLeaf(texts), verdict.root)
      if (typeof leaf === 'string' || clock() > leaf.notAfter) return undefined
      return toActiveCertificates(texts, verdict.root)
    },
    reconcile: () => reconcile(services),
    regenerate: (what) => regenerate(services, what),
  }
}
