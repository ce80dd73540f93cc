/** A root that was replaced: it leaves the trust stores, and the new one takes its place in those that trusted it. */
import type { Certificate } from '../pki/certificate.ts'
import {
  checkTrust,
  installRoot,
  type StoreResult,
  uninstallRoot,
} from '../pki/trust-stores/install-root.ts'
import type { CertificateServices } from './certificate-services.ts'
import type { ReconciledCertificates } from './material.ts'

type OldRootServices = Pick<CertificateServices, 'stores' | 'log'>

/** Removes a root that is no longer used from the stores. */
export async function removeOldRoot(
  { stores, log }: OldRootServices,
  root: Certificate | undefined,
): Promise<void> {
  if (root === undefined) return
  for (const { store, trusted, reason } of await uninstallRoot(await stores(), root))
    if (trusted) log.warn('a store still trusts an old root', { store, reason })
}

/** Replaces the old root by the new one in the stores that trusted the old one. */
export async function replaceTrust(
  services: OldRootServices,
  { root, replacedRoot }: ReconciledCertificates,
): Promise<readonly StoreResult[]> {
  if (replacedRoot === undefined) return []
  const stores = await services.stores()
  const trusting = (await checkTrust(stores, replacedRoot)).filter(({ trusted }) => trusted)
  const names = new Set(trusting.map(({ store }) => store))
  const results = await installRoot(
    stores.filter(({ name }) => names.has(name)),
    root,
  )
  await removeOldRoot(services, replacedRoot)
  return results
}
