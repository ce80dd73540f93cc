/** Installs, removes and checks a root in several trust stores; one that fails never stops the others. */

import { errorText } from '../../system/error-text.ts'
import { type Certificate, isKeyOf } from '../certificate.ts'
import { TrustableRoot } from '../trustable-root.ts'
import { tryReadCertificate } from '../validate.ts'
import type { Obstacle, TrustStore } from './trust-store.ts'

/** The outcome for one store. */
export interface StoreResult {
  readonly store: string
  readonly scope: TrustStore['scope']
  /** Whether the store trusts the root now. */
  readonly trusted: boolean
  /** Whether the store cannot be read: it may trust the root, whatever `trusted` says. */
  readonly unread?: boolean
  /** Why the store is not in the wanted state; undefined when it is. */
  readonly reason?: string
  /** What to do so that the store can be read; undefined when it can be read already. */
  readonly remedy?: string
}

/** Whether a store has to be asked again before the root is forgotten: one that cannot be read may still trust it. */
export const mayTrust = ({
  trusted,
  unread = false,
}: Pick<StoreResult, 'trusted' | 'unread'>): boolean => trusted || unread

/**
 * Installs a root in every store, if it may be trusted. `hosts` are the names of this machine beside the local ones.
 * One that may not be trusted goes into no store, of the machine or of a user.
 */
export const installRoot = (
  stores: readonly TrustStore[],
  root: Certificate,
  hosts: readonly string[],
) => {
  const judged = TrustableRoot.judge(root.pem, hosts)
  return forEachStore(stores, root, async (store) => {
    if (typeof judged === 'string') throw new Error(`the root certificate was rejected: ${judged}`)
    await store.install(judged)
  })
}

/** What shows that a root is ours to remove. */
export interface RemovalProof {
  /** The names of this machine beside the local ones, for which a root may sign that may be trusted. */
  readonly hosts: readonly string[]
  /** Its private key, PEM, if this connector has it. It never has the key of another root. */
  readonly key?: string | undefined
}

/**
 * Removes a root from every store. A file says which: so that it removes no root of others, a store that cannot tell ours from
 * theirs is asked only for a root that may be trusted, or whose key we hold.
 */
export const uninstallRoot = (
  stores: readonly TrustStore[],
  root: Certificate,
  { hosts, key }: RemovalProof,
) => {
  const isKeyOurs = key !== undefined && isKeyOf(key, root.pem)
  const judged = isKeyOurs ? root : TrustableRoot.judge(root.pem, hosts)
  return forEachStore(stores, root, async (store) => {
    if (store.removes === 'any' && typeof judged === 'string')
      throw new Error(`the root certificate is not from Cardwire: ${judged}`)
    await store.uninstall(root)
  })
}

/**
 * Removes what this connector put into the stores that tell it from the roots of others, except `kept`: no file has to name these roots. The
 * results are those of the roots that were found.
 */
export async function uninstallOwnRoots(
  stores: readonly TrustStore[],
  proof: RemovalProof,
  kept?: Certificate,
): Promise<readonly StoreResult[]> {
  const results: StoreResult[] = []
  for (const store of stores) {
    const { name, scope, listOwn } = store
    try {
      const own = ((await listOwn?.()) ?? []).flatMap((pem) => tryReadCertificate(pem) ?? [])
      for (const root of own)
        if (root.fingerprint !== kept?.fingerprint)
          results.push(...(await uninstallRoot([store], root, proof)))
    } catch (error) {
      results.push({ store: name, scope, trusted: false, unread: true, reason: errorText(error) })
    }
  }
  return results
}

/** Reads of every store whether it trusts a root. */
export const checkTrust = (stores: readonly TrustStore[], root: Certificate) =>
  forEachStore(stores, root, async () => undefined)

async function forEachStore(
  stores: readonly TrustStore[],
  root: Certificate,
  act: (store: TrustStore) => Promise<void>,
): Promise<readonly StoreResult[]> {
  const results: StoreResult[] = []
  // One after the other: some share a database or a lock of the system.
  for (const store of stores) {
    const obstacle = await tryAct(store, act)
    const trust = await tryCheckTrust(store, root)
    const { name, scope } = store
    results.push({ store: name, scope, ...trust, ...obstacle })
  }
  return results
}

/** Acts on the store when it can be used; otherwise, or when that fails, the answer is why. */
async function tryAct(
  store: TrustStore,
  act: (store: TrustStore) => Promise<void>,
): Promise<Obstacle | undefined> {
  try {
    const obstacle = await store.findObstacle()
    if (obstacle === undefined) await act(store)
    return obstacle
  } catch (error) {
    return { reason: errorText(error) }
  }
}

async function tryCheckTrust(
  store: TrustStore,
  root: Certificate,
): Promise<Pick<StoreResult, 'trusted' | 'unread' | 'reason'>> {
  try {
    return { trusted: await store.trusts(root) }
  } catch (error) {
    return { trusted: false, unread: true, reason: errorText(error) }
  }
}
