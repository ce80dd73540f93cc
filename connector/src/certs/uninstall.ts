/** Takes a package off the shared folder; the last one takes the trust with it, then the files. */
import { tryRead } from '../pki/judge.ts'
import { uninstallRoot } from '../trust/apply.ts'
import type { UninstallOptions, UninstallResult } from './certificates.ts'
import { forgetServiceRoots } from './service-root.ts'
import type { CertificateServices } from './services.ts'

export async function uninstall(
  services: CertificateServices,
  options: UninstallOptions,
): Promise<UninstallResult> {
  const { folder, log } = services
  const leaving = options.package ?? services.packageName
  try {
    return await folder.locked(async () => {
      const packages = (await folder.readList('packages')).filter((name) => name !== leaving)
      if (packages.length > 0) {
        await folder.writeList('packages', packages)
        const reason = `the certificates stay: ${packages.join(', ')} uses them too`
        return { removed: false, reason, trust: [], packages }
      }
      const { rootCert } = await folder.read()
      const root = rootCert === undefined ? undefined : tryRead(rootCert)
      const trust = root ? await uninstallRoot(await services.stores(), root) : []
      const ofService = await forgetServiceRoots(services)
      const ofOwn = trust.filter(({ trusted }) => trusted).map(({ store }) => store)
      const believing = [...new Set([...ofOwn, ...ofService])]
      if (believing.length > 0 && options.force !== true) {
        // Without the certificate nobody could name the root to that store again.
        const whose = ofOwn.length > 0 ? 'the root' : 'the root of the registry service'
        const reason = `the files stay: ${believing.join(', ')} still believes ${whose}`
        return { removed: false, reason, trust, packages: [leaving] }
      }
      await folder.remove()
      log.info('removed the certificates', { folder: folder.path })
      return { removed: true, trust, packages: [] }
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { removed: false, reason, trust: [], packages: [leaving] }
  }
}
