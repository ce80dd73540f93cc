/** Removes a package from the list of the shared folder; with the last one also the trust, then the files. */
import { tryReadCertificate } from '../pki/validate.ts'
import { errorText } from '../system/error-text.ts'
import { uninstallRoot } from '../trust/install-root.ts'
import type { UninstallOptions, UninstallResult } from './certificates.ts'
import { removeServiceRoots } from './service-root.ts'
import type { CertificateServices } from './services.ts'

export async function uninstallPackage(
  services: CertificateServices,
  options: UninstallOptions,
): Promise<UninstallResult> {
  const { folder, log } = services
  const leaving = options.package ?? services.packageName
  try {
    return await folder.withLock(async () => {
      const packages = (await folder.readList('packages')).filter((name) => name !== leaving)
      if (packages.length > 0) {
        await folder.writeList('packages', packages)
        const reason = `the certificates stay: ${packages.join(', ')} uses them too`
        return { removed: false, reason, trust: [], packages }
      }
      const { rootCert } = await folder.read()
      const root = rootCert === undefined ? undefined : tryReadCertificate(rootCert)
      const trust = root ? await uninstallRoot(await services.stores(), root) : []
      if (root) log.info('root uninstalled', { fingerprint: root.fingerprint })
      const ofService = await removeServiceRoots(services)
      const ofOwn = trust.filter(({ trusted }) => trusted).map(({ store }) => store)
      const trusting = [...new Set([...ofOwn, ...ofService])]
      if (trusting.length > 0 && options.force !== true) {
        // The certificate is needed to remove the root from that store later.
        const whose = ofOwn.length > 0 ? 'the root' : 'the root of the registry service'
        const reason = `the files stay: ${trusting.join(', ')} still trusts ${whose}`
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
