/** The root of this user in trust stores: one that may not be trusted, as another package may have left it, is not installed. */
import type { Certificate } from '../pki/certificate.ts'
import { checkTrust, installRoot, type StoreResult } from '../pki/trust-stores/install-root.ts'
import type { TrustStore } from '../pki/trust-stores/trust-store.ts'
import { TrustableRoot } from '../pki/trustable-root.ts'
import type { CertificateServices } from './certificate-services.ts'
import { readKnownHosts } from './requested-names.ts'

/** The result for a root that is refused says how to get another; a store that trusts it already keeps it until then. */
export async function installOwnRoot(
  services: Pick<CertificateServices, 'folder' | 'hosts' | 'machineHosts' | 'log'>,
  stores: readonly TrustStore[],
  root: Certificate,
): Promise<readonly StoreResult[]> {
  const known = await readKnownHosts(services)
  // Programs of the user write the list of the user, and could wait until an administrator installs the root for everyone.
  const hosts = services.machineHosts?.() ?? known
  const judged = TrustableRoot.judge(root.pem, hosts)
  if (typeof judged !== 'string') return installRoot(stores, root, hosts)
  const isForOwnHosts = typeof TrustableRoot.judge(root.pem, known) !== 'string'
  const advice = isForOwnHosts
    ? 'have an administrator set them in CARDWIRE_HOSTS, or remove them and '
    : ''
  const reason = `the root certificate was rejected: ${judged}; ${advice}create a new one: cardwire certs renew --root`
  return (await checkTrust(stores, root)).map((one) => ({ ...one, reason }))
}
