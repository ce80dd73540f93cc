/** The certificates of a folder, over its files and the trust stores. */
import { watch } from 'node:fs'
import type { Certificate } from '../pki/certificate.ts'
import { fileNames } from '../pki/certificate-folder.ts'
import {
  checkTrust,
  installRoot,
  type StoreResult,
  uninstallRoot,
} from '../pki/trust-stores/install-root.ts'
import { tryReadCertificate } from '../pki/validate.ts'
import { errorText } from '../system/error-text.ts'
import { openCertificateFiles, type ReconciledCertificates } from './certificate-files.ts'
import type { CertificateServices } from './certificate-services.ts'
import type { Certificates, TlsMaterial } from './certificates.ts'
import { readHosts, splitByConstraints } from './hosts.ts'
import { toCertificateInfo } from './material.ts'
import { installServiceRoot } from './service-root.ts'
import { readCertStatus, readDomainStatus } from './status.ts'
import { removeTrust, uninstallPackage } from './uninstall.ts'

export function createCertificates(services: CertificateServices): Certificates {
  const { folder, log } = services
  const files = openCertificateFiles(services)
  const listeners = new Set<(tls: TlsMaterial) => void>()
  let servedFingerprint: string | undefined

  /** Calls the listeners when the certificate to serve has changed. */
  function serve(tls: TlsMaterial): TlsMaterial {
    const changed = servedFingerprint !== undefined && servedFingerprint !== tls.fingerprint
    servedFingerprint = tls.fingerprint
    if (changed) for (const listener of listeners) listener(tls)
    return tls
  }

  async function ensure(): Promise<TlsMaterial> {
    await protectFiles()
    const good = await files.readCurrent()
    const kept: ReconciledCertificates =
      good ?? (await folder.withLock(() => files.reconcile()).catch(useOldLeaf))
    if (!good) await protectFiles()
    await registerPackage()
    await removeOldRoot(kept.replacedRoot)
    return serve(kept.tls)
  }

  /** Restricts the folder and the keys to their owner, and logs what was open to others. */
  async function protectFiles(): Promise<void> {
    for (const { path, before, reason } of await services.checkAccess({ repair: true })) {
      if (reason !== undefined) log.error('a key is open to others', { path, reason })
      else if (before !== undefined) log.warn('a key was open to others', { path, before })
    }
  }

  /** The old leaf is served while browsers accept it. */
  async function useOldLeaf(error: unknown): Promise<ReconciledCertificates> {
    const old = await files.readUsable().catch(() => undefined)
    if (old === undefined) throw error
    log.error('the certificates could not be renewed', { reason: errorText(error) })
    return old
  }

  /** Adds our package to the list of packages that use the folder. */
  async function registerPackage(): Promise<void> {
    const { packageName } = services
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

  /** Removes a root that is no longer used from the stores. */
  async function removeOldRoot(root: Certificate | undefined): Promise<void> {
    if (root === undefined) return
    for (const { store, trusted, reason } of await uninstallRoot(await services.stores(), root))
      if (trusted) log.warn('a store still trusts an old root', { store, reason })
  }

  /** Replaces the old root by the new one in the stores that trusted the old one. */
  async function replaceTrust({
    root,
    replacedRoot,
  }: ReconciledCertificates): Promise<readonly StoreResult[]> {
    if (replacedRoot === undefined) return []
    const stores = await services.stores()
    const trusting = (await checkTrust(stores, replacedRoot)).filter(({ trusted }) => trusted)
    const names = new Set(trusting.map(({ store }) => store))
    const results = await installRoot(
      stores.filter(({ name }) => names.has(name)),
      root,
    )
    await removeOldRoot(replacedRoot)
    return results
  }

  return {
    ensure,
    status: () => readCertStatus(services, files),
    statusOf: (domain) => readDomainStatus(services, domain),
    async install() {
      await ensure()
      const root = await readRoot()
      if (!root) return []
      const results = await installRoot(await services.stores(), root)
      const trusting = results.filter(({ trusted }) => trusted).map(({ store }) => store)
      const { fingerprint } = root
      if (trusting.length > 0) log.info('root installed', { fingerprint, stores: trusting.join() })
      return installServiceRoot(services, results)
    },
    async renew({ root = false }) {
      try {
        const kept = await folder.withLock(() => files.regenerate(root ? 'root' : 'leaf'))
        serve(kept.tls)
        const leaf = tryReadCertificate(kept.tls.cert)
        return {
          renewed: true,
          rootReplaced: root,
          ...(leaf ? { leaf: toCertificateInfo(leaf) } : {}),
          trust: root ? await replaceTrust(kept) : [],
          warnings: root ? [newRootWarning] : [],
        }
      } catch (error) {
        const reason = errorText(error)
        log.error('the certificates could not be renewed', { reason })
        return { renewed: false, reason, rootReplaced: false, trust: [], warnings: [] }
      }
    },
    async hosts(texts) {
      const hosts = readHosts(texts)
      const values = hosts.map(({ value }) => value)
      await ensure()
      await folder.withLock(() => folder.writeList('hosts', values))
      const failure = await ensure().then(() => undefined, errorText)
      const root = await readRoot()
      const leaf = tryReadCertificate((await folder.read()).leafCert ?? '')
      const outside = root ? splitByConstraints(root.constraints, hosts).outside : []
      const missing = values.filter(
        (value) => !leaf?.names.includes(value) && !outside.some((name) => name.value === value),
      )
      const reason =
        failure ?? (missing.length > 0 ? `the leaf still lacks ${missing.join(', ')}` : undefined)
      return {
        hosts: values,
        names: leaf?.names ?? [],
        needsRoot: outside.map(({ value }) => value),
        ...(reason === undefined ? {} : { reason }),
        warnings: outside.length > 0 ? [needsRootWarning] : [],
      }
    },
    untrust: () => removeTrust(services),
    uninstall: (options) => uninstallPackage(services, options),
    onChange(listener) {
      listeners.add(listener)
      const stop = watchFiles()
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
  }

  async function readRoot(): Promise<Certificate | undefined> {
    const { rootCert } = await folder.read()
    return rootCert === undefined ? undefined : tryReadCertificate(rootCert)
  }

  /**
   * Another process may renew the leaf: the command line, or another package. Files that are complete and valid are served;
   * nothing is created here, or a connector that still runs would undo an uninstall.
   */
  function watchFiles(): () => void {
    try {
      const watcher = watch(folder.path, { persistent: false }, (_, name) => {
        // The files change one by one: the set is complete with the last.
        if (Object.values<string | null>(fileNames).includes(name)) void serveChangedFiles()
      })
      return () => watcher.close()
    } catch (error) {
      log.warn('changes of the certificate files are not noticed', { reason: errorText(error) })
      return () => undefined
    }
  }

  async function serveChangedFiles(): Promise<void> {
    try {
      const good = await files.readCurrent()
      if (good) serve(good.tls)
    } catch (error) {
      log.error('changed certificates cannot be used', { reason: errorText(error) })
    }
  }
}

const newRootWarning =
  'The root is new: browsers and programs in which you installed the old one by hand need the new one'
const needsRootWarning =
  'The root may not sign for some of the hosts: renewing the root makes one that may, and every store must then believe the new one'
