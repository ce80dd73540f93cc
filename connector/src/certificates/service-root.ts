/** The root of the registry service in the trust stores of a user, beside the root of the user. */

import { type Certificate, encodePem } from '../pki/certificate.ts'
import {
  checkTrust,
  installRoot,
  mayTrust,
  type StoreResult,
  uninstallRoot,
} from '../pki/trust-stores/install-root.ts'
import { TrustableRoot } from '../pki/trustable-root.ts'
import { tryReadCertificate } from '../pki/validate.ts'
import { errorText } from '../system/error-text.ts'
import type { CertificateServices } from './certificate-services.ts'
import { readListUnlessDamaged } from './read-list.ts'

type ServiceRootServices = Pick<
  CertificateServices,
  'folder' | 'hosts' | 'log' | 'serviceRoot' | 'stores'
>

/** Installs it in every store and removes earlier ones. `own`: the results for the root of the user. */
export async function installServiceRoot(
  services: ServiceRootServices,
  own: readonly StoreResult[],
): Promise<readonly StoreResult[]> {
  try {
    return await replaceServiceRoots(services, own)
  } catch (error) {
    return toUnread(own, error)
  }
}

/** It is not known whether the stores trust both roots. */
const toUnread = (own: readonly StoreResult[], error: unknown): readonly StoreResult[] =>
  own.map((one) => ({ ...one, trusted: false, unread: true, reason: errorText(error) }))

/** Throws when the root, or the list of those that were installed, cannot be read or written. */
async function replaceServiceRoots(
  services: ServiceRootServices,
  own: readonly StoreResult[],
): Promise<readonly StoreResult[]> {
  const { folder, hosts, serviceRoot, stores } = services
  const pem = await serviceRoot()
  const root = pem === undefined ? undefined : tryReadCertificate(pem)
  // Its key is another account's.
  const judged = root && TrustableRoot.judge(root.pem, hosts)
  const wanted = judged === undefined || typeof judged === 'string' ? [] : [encodePem(judged.der)]
  const before = await readServiceRoots(services)
  const others = before.filter((one) => !wanted.includes(one))
  // Written first, so that it can be removed again whatever happens then.
  if (others.length + wanted.length > before.length) await remember([...others, ...wanted])
  const left = await removeRoots(services, others)
  if (left.length < others.length) await remember([...left, ...wanted])
  if (root === undefined) return own
  if (typeof judged === 'string') {
    const reason = `the root certificate of the registry service was rejected: ${judged}`
    return own.map((one) => ({ ...one, trusted: false, reason }))
  }
  return combineResults(own, await installRoot(await stores(), root, hosts))

  function remember(roots: readonly string[]): Promise<void> {
    return folder.withLock(() => folder.writeList('serviceRoots', roots))
  }
}

/** Reads whether every store trusts it, and changes nothing. */
export async function checkServiceRootTrust(
  { serviceRoot, stores }: ServiceRootServices,
  own: readonly StoreResult[],
): Promise<readonly StoreResult[]> {
  try {
    const pem = await serviceRoot()
    const root = pem === undefined ? undefined : tryReadCertificate(pem)
    return root ? combineResults(own, await checkTrust(await stores(), root)) : own
  } catch (error) {
    return toUnread(own, error)
  }
}

/** Removes all that were installed from every store; resolves with the stores that still trust one. */
export async function removeServiceRoots(
  services: ServiceRootServices,
): Promise<readonly string[]> {
  const left = await removeRoots(services, await readServiceRoots(services))
  const facts = left.flatMap((pem) => tryReadCertificate(pem) ?? [])
  return findTrustingStores(services, facts)
}

/** Removes them from every store, and remembers those that a store may still trust. */
export async function forgetServiceRoots(services: ServiceRootServices): Promise<void> {
  const before = await readServiceRoots(services)
  const left = await removeRoots(services, before)
  if (left.length < before.length) await services.folder.writeList('serviceRoots', left)
}

const readServiceRoots = (services: ServiceRootServices): Promise<readonly string[]> =>
  readListUnlessDamaged(services, 'serviceRoots')

/** Answers with those that a store may still trust. */
async function removeRoots(
  services: ServiceRootServices,
  roots: readonly string[],
): Promise<readonly string[]> {
  const left: string[] = []
  for (const pem of roots) {
    const root = tryReadCertificate(pem)
    if (root === undefined) continue
    const results = await uninstallRoot(await services.stores(), root, services)
    if (results.some(mayTrust)) left.push(pem)
  }
  return left
}

async function findTrustingStores(
  { stores }: ServiceRootServices,
  roots: readonly Certificate[],
): Promise<readonly string[]> {
  const results = await Promise.all(roots.map(async (root) => checkTrust(await stores(), root)))
  const names = results
    .flat()
    .filter(mayTrust)
    .map(({ store }) => store)
  return [...new Set(names)]
}

/** A store counts as trusting when it trusts both roots. */
function combineResults(
  own: readonly StoreResult[],
  service: readonly StoreResult[],
): readonly StoreResult[] {
  return own.map((one) => {
    const other = service.find(({ store }) => store === one.store)
    if (!one.trusted || !other || other.trusted) return one
    const reason = other.reason ?? 'the root certificate of the registry service is not installed'
    return { ...one, trusted: false, reason }
  })
}
