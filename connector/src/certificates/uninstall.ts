/** Removes the trust alone; or a package from the list of the shared folder, and with the last one also the trust, then the files. */

import {
  checkTrust,
  mayTrust,
  type StoreResult,
  uninstallRoot,
} from '../pki/trust-stores/install-root.ts'
import { tryReadCertificate } from '../pki/validate.ts'
import { errorText } from '../system/error-text.ts'
import type { CertificateServices } from './certificate-services.ts'
import type { UninstallOptions, UninstallResult } from './certificates.ts'
import { forgetServiceRoots, removeServiceRoots } from './service-root.ts'

/**
 * Removes the roots from the stores and leaves the files. Where another package uses the folder, its root stays trusted.
 * Resolves with what the stores of this user trust then.
 */
export const removeTrust = (services: CertificateServices): Promise<readonly StoreResult[]> =>
  services.folder.withLock(async () => {
    const results = await removeOwnTrust(services)
    // Last: when its list cannot be read, the root of the user is gone all the same.
    await forgetServiceRoots(services)
    return results
  })

async function removeOwnTrust({
  folder,
  hosts,
  stores,
  packageName,
  log,
}: CertificateServices): Promise<readonly StoreResult[]> {
  const others = (await folder.readList('packages')).filter((name) => name !== packageName)
  const { rootCert, rootKey } = await folder.read()
  const root = rootCert === undefined ? undefined : tryReadCertificate(rootCert)
  if (root === undefined) return []
  if (others.length === 0) return uninstallRoot(await stores(), root, { hosts, key: rootKey })
  log.info('the root certificate stays trusted', { packages: others.join(' ') })
  const reason = `${others.join(', ')} also uses it`
  return (await checkTrust(await stores(), root)).map((one) => ({ ...one, reason }))
}

export async function uninstallPackage(
  services: CertificateServices,
  options: UninstallOptions,
): Promise<UninstallResult> {
  const { folder, hosts, log } = services
  const leaving = options.package ?? services.packageName
  try {
    return await folder.withLock(async () => {
      const packages = (await folder.readList('packages')).filter((name) => name !== leaving)
      if (packages.length > 0) {
        await folder.writeList('packages', packages)
        const reason = `the certificates are still used by ${packages.join(', ')}`
        return { removed: false, reason, trust: [], packages }
      }
      const { rootCert, rootKey } = await folder.read()
      const root = rootCert === undefined ? undefined : tryReadCertificate(rootCert)
      const trust = root
        ? await uninstallRoot(await services.stores(), root, { hosts, key: rootKey })
        : []
      if (root) log.info('root certificate uninstalled', { fingerprint: root.fingerprint })
      const ofService = await removeServiceRoots(services)
      const ofOwn = trust.filter(mayTrust).map(({ store }) => store)
      const trusting = [...new Set([...ofOwn, ...ofService])]
      if (trusting.length > 0 && options.force !== true) {
        // The certificate is needed to remove the root from that store later.
        const whose =
          ofOwn.length > 0 ? 'the root certificate' : 'the root certificate of the registry service'
        const reason = `the files stay: ${trusting.join(', ')} may still trust ${whose}`
        return { removed: false, reason, trust, packages: [leaving] }
      }
      await folder.remove()
      log.info('removed the certificates', { folder: folder.path })
      return { removed: true, trust, packages: [] }
    })
  } catch (error) {
    const reason = errorText(error)
    return { removed: false, reason, trust: [], packages: [leaving] }
  }
}
