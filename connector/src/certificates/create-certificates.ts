/** The certificates of a folder, over its files and the trust stores. */
import { errorText } from '../system/error-text.ts'
import { openCertificateFiles } from './certificate-files.ts'
import type { CertificateServices } from './certificate-services.ts'
import type { Certificates, TlsMaterial } from './certificates.ts'
import type { ReconciledCertificates } from './material.ts'
import { removeOldRoot } from './old-root.ts'
import { installOwnRoot } from './own-root.ts'
import { renewCertificates } from './renew.ts'
import { createServedLeaf } from './served-leaf.ts'
import { installServiceRoot } from './service-root.ts'
import { readRoot, setHosts } from './set-hosts.ts'
import { readCertStatus, readDomainStatus } from './status.ts'
import { removeTrust, uninstallPackage } from './uninstall.ts'

export function createCertificates(services: CertificateServices): Certificates {
  const { folder, log } = services
  const files = openCertificateFiles(services)
  const { serve, onChange } = createServedLeaf(services, files)

  async function ensure(): Promise<TlsMaterial> {
    await protectFiles(services)
    const good = await files.readCurrent()
    const kept: ReconciledCertificates =
      good ?? (await folder.withLock(() => files.reconcile()).catch(useOldLeaf))
    if (!good) await protectFiles(services)
    await registerPackage(services)
    await removeOldRoot(services, kept.replacedRoot)
    return serve(kept.tls)
  }

  /** The old leaf is served while browsers accept it. */
  async function useOldLeaf(error: unknown): Promise<ReconciledCertificates> {
    const old = await files.readUsable().catch(() => undefined)
    if (old === undefined) throw error
    log.error('the certificates could not be renewed', { reason: errorText(error) })
    return old
  }

  return {
    ensure,
    status: () => readCertStatus(services, files),
    statusOf: (domain) => readDomainStatus(services, domain),
    async install() {
      await ensure()
      const root = await readRoot(folder)
      if (!root) return []
      const results = await installOwnRoot(services, await services.stores(), root)
      const trusting = results.filter(({ trusted }) => trusted).map(({ store }) => store)
      const { fingerprint } = root
      if (trusting.length > 0)
        log.info('root certificate installed', { fingerprint, stores: trusting.join() })
      return installServiceRoot(services, results)
    },
    renew: ({ root = false }) => renewCertificates(services, files, serve, root),
    hosts: (texts) => setHosts(folder, texts, ensure),
    untrust: () => removeTrust(services),
    uninstall: (options) => uninstallPackage(services, options),
    onChange,
  }
}

/** Restricts the folder and the keys to their owner, and logs what was open to others. */
async function protectFiles({ checkAccess, log }: CertificateServices): Promise<void> {
  for (const { path, before, reason } of await checkAccess({ repair: true })) {
    if (reason !== undefined) log.error('a key is open to others', { path, reason })
    else if (before !== undefined) log.warn('a key was open to others', { path, before })
  }
}

/** Adds our package to the list of packages that use the folder. */
async function registerPackage({ folder, packageName, log }: CertificateServices): Promise<void> {
  try {
    if ((await folder.readList('packages')).includes(packageName)) return
    await folder.withLock(async () => {
      const packages = new Set(await folder.readList('packages'))
      await folder.writeList('packages', [...packages.add(packageName)])
    })
  } catch (error) {
    log.warn('this package is not on the list of the folder', { reason: errorText(error) })
  }
}
