/** A root that was replaced: it leaves the trust stores, and the new one takes its place in those that trusted it. */
import {
  checkTrust,
  mayTrust,
  type StoreResult,
  uninstallRoot,
} from '../pki/trust-stores/install-root.ts'
import type { CertificateServices } from './certificate-services.ts'
import type { ReconciledCertificates, ReplacedRoot } from './material.ts'
import { installOwnRoot } from './own-root.ts'

type OldRootServices = Pick<
  CertificateServices,
  'folder' | 'hosts' | 'machineHosts' | 'stores' | 'log'
>

/** Removes a root that is no longer used from the stores. */
export async function removeOldRoot(
  { hosts, stores, log }: OldRootServices,
  replaced: ReplacedRoot | undefined,
): Promise<void> {
  if (replaced === undefined) return
  const { root, key } = replaced
  const results = await uninstallRoot(await stores(), root, { hosts, key })
  for (const { store, reason } of results.filter(mayTrust))
    log.warn('a store may still trust an old root certificate', { store, reason })
}

/** Replaces the old root by the new one in the stores that trusted the old one. */
export async function replaceTrust(
  services: OldRootServices,
  { root, replacedRoot }: ReconciledCertificates,
): Promise<readonly StoreResult[]> {
  if (replacedRoot === undefined) return []
  const stores = await services.stores()
  const trusting = (await checkTrust(stores, replacedRoot.root)).filter(({ trusted }) => trusted)
  const names = new Set(trusting.map(({ store }) => store))
  const wanted = stores.filter(({ name }) => names.has(name))
  const results = await installOwnRoot(services, wanted, root)
  await removeOldRoot(services, replacedRoot)
  return results
}
