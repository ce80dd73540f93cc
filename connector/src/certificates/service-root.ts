/** The root of the registry service in the trust stores of a user, beside the root of the user. */

import type { Certificate } from '../pki/certificate.ts'
import type { Constraints } from '../pki/constraints.ts'
import { localNames } from '../pki/names.ts'
import {
  checkTrust,
  installRoot,
  type StoreResult,
  uninstallRoot,
} from '../pki/trust-stores/install-root.ts'
import { tryReadCertificate } from '../pki/validate.ts'
import type { CertificateServices } from './certificate-services.ts'

type ServiceRootServices = Pick<
  CertificateServices,
  'folder' | 'hosts' | 'log' | 'serviceRoot' | 'stores'
>

/** Installs it in every store and removes earlier ones. `own`: the results for the root of the user. */
export async function installServiceRoot(
  services: ServiceRootServices,
  own: readonly StoreResult[],
): Promise<readonly StoreResult[]> {
  const { folder, serviceRoot, stores } = services
  const pem = await serviceRoot()
  const root = pem === undefined ? undefined : tryReadCertificate(pem)
  const reason = root && findExcessiveNames(root.constraints, services.hosts)
  const wanted = root && reason === undefined ? [root.pem] : []
  const before = await readServiceRoots(services)
  const others = before.filter((one) => !wanted.includes(one))
  // Written first, so that it can be removed again whatever happens then.
  if (others.length + wanted.length > before.length) await remember([...others, ...wanted])
  const left = await removeRoots(services, others)
  if (left.length < others.length) await remember([...left, ...wanted])
  if (root === undefined) return own
  if (reason !== undefined) return own.map((one) => ({ ...one, trusted: false, reason }))
  return combineResults(own, await installRoot(await stores(), root))

  function remember(roots: readonly string[]): Promise<void> {
    return folder.withLock(() => folder.writeList('serviceRoots', roots))
  }
}

/** Reads whether every store trusts it, and changes nothing. */
export async function checkServiceRootTrust(
  { serviceRoot, stores }: ServiceRootServices,
  own: readonly StoreResult[],
): Promise<readonly StoreResult[]> {
  const pem = await serviceRoot()
  const root = pem === undefined ? undefined : tryReadCertificate(pem)
  return root ? combineResults(own, await checkTrust(await stores(), root)) : own
}

/** Removes all that were installed from every store; resolves with the stores that still trust one. */
export async function removeServiceRoots(
  services: ServiceRootServices,
): Promise<readonly string[]> {
  const left = await removeRoots(services, await readServiceRoots(services))
  const facts = left.flatMap((pem) => tryReadCertificate(pem) ?? [])
  return findTrustingStores(services, facts)
}

/** Removes them from every store, and remembers those that a store still trusts. */
export async function forgetServiceRoots(services: ServiceRootServices): Promise<void> {
  const before = await readServiceRoots(services)
  const left = await removeRoots(services, before)
  if (left.length < before.length) await services.folder.writeList('serviceRoots', left)
}

async function readServiceRoots({ folder, log }: ServiceRootServices): Promise<readonly string[]> {
  return folder.readList('serviceRoots').catch((error: unknown) => {
    log.warn('the list of service roots is ignored', { reason: String(error) })
    return []
  })
}

/** Answers with those that a store still trusts. */
async function removeRoots(
  services: ServiceRootServices,
  roots: readonly string[],
): Promise<readonly string[]> {
  const left: string[] = []
  for (const pem of roots) {
    const root = tryReadCertificate(pem)
    if (root === undefined) continue
    const results = await uninstallRoot(await services.stores(), root)
    if (results.some(({ trusted }) => trusted)) left.push(pem)
  }
  return left
}

async function findTrustingStores(
  { stores }: ServiceRootServices,
  roots: readonly Certificate[],
): Promise<readonly string[]> {
  const results = await Promise.all(roots.map(async (root) => checkTrust(await stores(), root)))
  const names = results.flat().flatMap(({ store, trusted }) => (trusted ? [store] : []))
  return [...new Set(names)]
}

/** Why it must not be trusted: its key is another account's, so it may sign for this machine's own names alone. */
export function findExcessiveNames(
  { kind, dns = [], ip = [] }: Constraints,
  hosts: readonly string[],
): string | undefined {
  const known = [...localNames, ...hosts]
  if (kind === 'full' && [...dns, ...ip].every((name) => known.includes(name))) return undefined
  return 'the root of the registry service may sign for other names than localhost'
}

/** A store counts as trusting when it trusts both roots. */
function combineResults(
  own: readonly StoreResult[],
  service: readonly StoreResult[],
): readonly StoreResult[] {
  return own.map((one) => {
    const other = service.find(({ store }) => store === one.store)
    if (!one.trusted || !other || other.trusted) return one
    const reason = other.reason ?? 'the root of the registry service is not installed'
    return { ...one, trusted: false, reason }
  })
}
