/** The endpoints of the certificate manager. */
import {
  certificateDomainStatus,
  certificateStatus,
  installCertificates,
  renewCertificates,
  setCertificateHosts,
  uninstallCertificates,
} from '@cardwire/protocol/certificate'
import type { Bind } from '../http/route-types.ts'
import type { StoreResult } from '../pki/trust-stores/install-root.ts'
import type { ApiServices } from './api-services.ts'

export function bindCertificateRoutes(bind: Bind, { certificates }: ApiServices): void {
  bind(certificateStatus, async () => ({ data: withStores(await certificates.status()) }))
  bind(certificateDomainStatus, async ({ params: { domain } }) => ({
    data: await certificates.statusOf(domain),
  }))
  bind(installCertificates, async () => ({
    data: (await certificates.install()).map(toStoreReply),
  }))
  bind(renewCertificates, async ({ body: { root } }) => ({
    data: withStores(await certificates.renew({ root })),
  }))
  bind(setCertificateHosts, async ({ body: { hosts } }) => ({
    data: await certificates.hosts(hosts),
  }))
  bind(uninstallCertificates, async () => ({
    data: withStores(await certificates.uninstall({})),
  }))
}

/** A result as it is given to programs. */
export const withStores = <T extends { readonly trust: readonly StoreResult[] }>(result: T) => ({
  ...result,
  trust: result.trust.map(toStoreReply),
})

/** The API gives the remedy, and that a store cannot be read, as a part of the reason. */
export function toStoreReply({
  remedy,
  unread: _,
  ...result
}: StoreResult): Omit<StoreResult, 'remedy' | 'unread'> {
  return remedy === undefined ? result : { ...result, reason: `${result.reason}: ${remedy}` }
}
