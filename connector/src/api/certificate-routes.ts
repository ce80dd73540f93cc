/** The certificate manager. */
import {
  certificateDomainStatus,
  certificateStatus,
  installCertificates,
  renewCertificates,
  setCertificateHosts,
  uninstallCertificates,
} from '@cardwire/client/protocol'
import type { Bind } from './bind.ts'
import type { Services } from './services.ts'

export function certificateRoutes(bind: Bind, { certificates }: Services): void {
  bind(certificateStatus, async () => ({ data: await certificates.status() }))
  bind(certificateDomainStatus, async ({ params: { domain } }) => ({
    data: await certificates.statusOf(domain),
  }))
  bind(installCertificates, async () => ({ data: await certificates.install() }))
  bind(renewCertificates, async ({ body: { root } }) => ({
    data: await certificates.renew({ root }),
  }))
  bind(setCertificateHosts, async ({ body: { hosts } }) => ({
    data: await certificates.hosts(hosts),
  }))
  bind(uninstallCertificates, async () => ({ data: await certificates.uninstall({}) }))
}
