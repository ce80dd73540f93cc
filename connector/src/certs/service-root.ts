/** The root of the registry service: what the stores of a person believe beside the person's own. */

import type { Facts } from '../pki/certificate.ts'
import type { Constraints } from '../pki/constraints.ts'
import { tryRead } from '../pki/judge.ts'
import { localNames } from '../pki/names.ts'
import { installRoot, type StoreResult, trustOf, uninstallRoot } from '../trust/apply.ts'
import type { CertificateServices } from './services.ts'

type Parts = Pick<CertificateServices, 'folder' | 'hosts' | 'log' | 'serviceRoot' | 'stores'>

/** Makes every store believe it, and forget one that it took the place of; `own`: what they say of the person's root. */
export async function installServiceRoot(
  parts: Parts,
  own: readonly StoreResult[],
): Promise<readonly StoreResult[]> {
  const { folder, serviceRoot, stores } = parts
  const pem = await serviceRoot()
  const root = pem === undefined ? undefined : tryRead(pem)
  const reason = root && tooMuch(root.constraints, parts.hosts)
  const wanted = root && reason === undefined ? [root.pem] : []
  const before = await remembered(parts)
  const others = before.filter((one) => !wanted.includes(one))
  // Noted first: whatever happens then, it can be forgotten again.
  if (others.length + wanted.length > before.length) await remember([...others, ...wanted])
  const left = await forgetRoots(parts, others)
  if (left.length < others.length) await remember([...left, ...wanted])
  if (root === undefined) return own
  if (reason !== undefined) return own.map((one) => ({ ...one, trusted: false, reason }))
  return believed(own, await installRoot(await stores(), root))

  function remember(roots: readonly string[]): Promise<void> {
    return folder.locked(() => folder.writeList('serviceRoots', roots))
  }
}

/** Looks, and changes nothing. */
export async function trustOfServiceRoot(
  { serviceRoot, stores }: Parts,
  own: readonly StoreResult[],
): Promise<readonly StoreResult[]> {
  const pem = await serviceRoot()
  const root = pem === undefined ? undefined : tryRead(pem)
  return root ? believed(own, await trustOf(await stores(), root)) : own
}

/** Makes every store forget those it was made to believe; answers with the stores that still do. */
export async function forgetServiceRoots(parts: Parts): Promise<readonly string[]> {
  const left = await forgetRoots(parts, await remembered(parts))
  const facts = left.flatMap((pem) => tryRead(pem) ?? [])
  return believers(parts, facts)
}

async function remembered({ folder, log }: Parts): Promise<readonly string[]> {
  return folder.readList('serviceRoots').catch((error: unknown) => {
    log.warn('the list of service roots is passed over', { reason: String(error) })
    return []
  })
}

/** Answers with those that a store still believes. */
async function forgetRoots(parts: Parts, roots: readonly string[]): Promise<readonly string[]> {
  const left: string[] = []
  for (const pem of roots) {
    const root = tryRead(pem)
    if (root === undefined) continue
    const results = await uninstallRoot(await parts.stores(), root)
    if (results.some(({ trusted }) => trusted)) left.push(pem)
  }
  return left
}

async function believers({ stores }: Parts, roots: readonly Facts[]): Promise<readonly string[]> {
  const results = await Promise.all(roots.map(async (root) => trustOf(await stores(), root)))
  const names = results.flat().flatMap(({ store, trusted }) => (trusted ? [store] : []))
  return [...new Set(names)]
}

/** Its key is another account's: it is believed for this machine's own names, and for nothing else. */
function tooMuch(
  { kind, dns = [], ip = [] }: Constraints,
  hosts: readonly string[],
): string | undefined {
  const known = [...localNames, ...hosts]
  if (kind === 'full' && [...dns, ...ip].every((name) => known.includes(name))) return undefined
  return 'the root of the registry service may sign for other names than localhost'
}

/** A store is right when it believes both roots. */
function believed(
  own: readonly StoreResult[],
  service: readonly StoreResult[],
): readonly StoreResult[] {
  return own.map((one) => {
    const other = service.find(({ store }) => store === one.store)
    if (!one.trusted || !other || other.trusted) return one
    const reason = other.reason ?? 'the root of the registry service is not in'
    return { ...one, trusted: false, reason }
  })
}
