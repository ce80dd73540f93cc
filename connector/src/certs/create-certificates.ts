/** The certificates of a folder: the port, over the keeper of the files and the trust stores. */
import { watch } from 'node:fs'
import type { Facts } from '../pki/certificate.ts'
import { fileNames } from '../pki/folder.ts'
import { tryRead } from '../pki/judge.ts'
import { installRoot, type StoreResult, trustOf, uninstallRoot } from '../trust/apply.ts'
import type { Certificates, TlsMaterial } from './certificates.ts'
import { readHosts, splitByConstraints } from './hosts.ts'
import { type Kept, openKeeper } from './keeper.ts'
import { factsOf } from './material.ts'
import { report, reportOf } from './report.ts'
import { installServiceRoot } from './service-root.ts'
import type { CertificateServices } from './services.ts'
import { uninstall } from './uninstall.ts'

export function createCertificates(services: CertificateServices): Certificates {
  const { folder, log } = services
  const keeper = openKeeper(services)
  const listeners = new Set<(tls: TlsMaterial) => void>()
  let current: string | undefined

  /** Tells the listeners when what is served changes. */
  function serve(tls: TlsMaterial): TlsMaterial {
    const changed = current !== undefined && current !== tls.fingerprint
    current = tls.fingerprint
    if (changed) for (const listener of listeners) listener(tls)
    return tls
  }

  async function ensure(): Promise<TlsMaterial> {
    await secure()
    const good = await keeper.inForce()
    const kept: Kept = good ?? (await folder.locked(() => keeper.settle()).catch(fallBack))
    if (!good) await secure()
    await list()
    await forget(kept.retired)
    return serve(kept.tls)
  }

  /** Closes what is open to others, and says so. */
  async function secure(): Promise<void> {
    for (const { path, before, reason } of await services.protect({ repair: true })) {
      if (reason !== undefined) log.error('a key is open to others', { path, reason })
      else if (before !== undefined) log.warn('a key was open to others', { path, before })
    }
  }

  /** The old leaf stays in force while browsers accept it. */
  async function fallBack(error: unknown): Promise<Kept> {
    const old = await keeper.servable().catch(() => undefined)
    if (old === undefined) throw error
    log.error('the certificates could not be renewed', { reason: text(error) })
    return old
  }

  /** Puts our package on the list of those who use the folder. */
  async function list(): Promise<void> {
    const { packageName } = services
    try {
      if ((await folder.readList('packages')).includes(packageName)) return
      await folder.locked(async () => {
        const packages = new Set(await folder.readList('packages'))
        await folder.writeList('packages', [...packages.add(packageName)])
      })
    } catch (error) {
      log.warn('this package is not on the list of the folder', { reason: text(error) })
    }
  }

  /** A root whose key is gone or whose time is over stays in no store. */
  async function forget(root: Facts | undefined): Promise<void> {
    if (root === undefined) return
    for (const { store, trusted, reason } of await uninstallRoot(await services.stores(), root))
      if (trusted) log.warn('a store still believes an old root', { store, reason })
  }

  /** A new root takes the place of the old one where that was believed. */
  async function replaceTrust({ root, retired }: Kept): Promise<readonly StoreResult[]> {
    if (retired === undefined) return []
    const stores = await services.stores()
    const believed = (await trustOf(stores, retired)).filter(({ trusted }) => trusted)
    const names = new Set(believed.map(({ store }) => store))
    const results = await installRoot(
      stores.filter(({ name }) => names.has(name)),
      root,
    )
    await forget(retired)
    return results
  }

  return {
    ensure,
    status: () => report(services, keeper),
    statusOf: (domain) => reportOf(services, domain),
    async install() {
      await ensure()
      const root = await readRoot()
      if (!root) return []
      return installServiceRoot(services, await installRoot(await services.stores(), root))
    },
    async renew({ root = false }) {
      try {
        const kept = await folder.locked(() => keeper.remake(root ? 'root' : 'leaf'))
        serve(kept.tls)
        const leaf = tryRead(kept.tls.cert)
        return {
          renewed: true,
          rootReplaced: root,
          ...(leaf ? { leaf: factsOf(leaf) } : {}),
          trust: root ? await replaceTrust(kept) : [],
          warnings: root ? [newRootWarning] : [],
        }
      } catch (error) {
        const reason = text(error)
        log.error('the certificates could not be renewed', { reason })
        return { renewed: false, reason, rootReplaced: false, trust: [], warnings: [] }
      }
    },
    async hosts(texts) {
      const hosts = readHosts(texts)
      const values = hosts.map(({ value }) => value)
      await ensure()
      await folder.locked(() => folder.writeList('hosts', values))
      const failure = await ensure().then(() => undefined, text)
      const root = await readRoot()
      const leaf = tryRead((await folder.read()).leafCert ?? '')
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
    uninstall: (options) => uninstall(services, options),
    onChange(listener) {
      listeners.add(listener)
      const stop = watchFiles()
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
  }

  async function readRoot(): Promise<Facts | undefined> {
    const { rootCert } = await folder.read()
    return rootCert === undefined ? undefined : tryRead(rootCert)
  }

  /**
   * Another process may renew the leaf: the command line, or another package. What is complete and good is taken over;
   * nothing is made here, or an uninstall would be undone by the connector that still runs.
   */
  function watchFiles(): () => void {
    try {
      const watcher = watch(folder.path, { persistent: false }, (_, name) => {
        // Files come one by one: whichever is the last finds the set complete.
        if (Object.values<string | null>(fileNames).includes(name)) void takeOver()
      })
      return () => watcher.close()
    } catch (error) {
      log.warn('changes of the certificates are not seen', { reason: text(error) })
      return () => undefined
    }
  }

  async function takeOver(): Promise<void> {
    try {
      const good = await keeper.inForce()
      if (good) serve(good.tls)
    } catch (error) {
      log.error('changed certificates cannot be used', { reason: text(error) })
    }
  }
}

const newRootWarning =
  'The root is new: browsers and programs that were told of the old one by hand must be told of this one'
const needsRootWarning =
  'The root may not sign for some of the hosts: renewing the root makes one that may, and every store must then believe the new one'

const text = (error: unknown) => (error instanceof Error ? error.message : String(error))
