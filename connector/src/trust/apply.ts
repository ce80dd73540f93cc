/** Asks several stores the same; one that fails never stops the others. */
import type { Facts } from '../pki/certificate.ts'
import type { TrustStore } from './trust-store.ts'

/** What one store answered. */
export interface StoreResult {
  readonly store: string
  readonly scope: TrustStore['scope']
  /** Whether it believes the root now. */
  readonly trusted: boolean
  /** Why it is not as it was asked to be; undefined when it is. */
  readonly reason?: string
}

/** Makes every store believe a root. A root that may sign for every name goes into no store of the machine. */
export const installRoot = (stores: readonly TrustStore[], root: Facts) =>
  each(stores, root, async (store) => {
    if (store.scope === 'machine' && root.constraints.kind === 'none')
      throw new Error('a root without name constraints is never trusted by every account')
    await store.install(root)
  })

/** Makes every store forget a root. */
export const uninstallRoot = (stores: readonly TrustStore[], root: Facts) =>
  each(stores, root, (store) => store.uninstall(root))

/** Asks every store whether it believes a root. */
export const trustOf = (stores: readonly TrustStore[], root: Facts) =>
  each(stores, root, async () => undefined)

async function each(
  stores: readonly TrustStore[],
  root: Facts,
  act: (store: TrustStore) => Promise<void>,
): Promise<readonly StoreResult[]> {
  const results: StoreResult[] = []
  // One after the other: some share a database or a lock of the system.
  for (const store of stores) {
    const refused = await attempt(store, act)
    const { trusted, unknown } = await look(store, root)
    const reason = refused ?? unknown
    const { name, scope } = store
    results.push({ store: name, scope, trusted, ...(reason === undefined ? {} : { reason }) })
  }
  return results
}

async function attempt(
  store: TrustStore,
  act: (store: TrustStore) => Promise<void>,
): Promise<string | undefined> {
  try {
    const unavailable = await store.available()
    if (unavailable === undefined) await act(store)
    return unavailable
  } catch (error) {
    return textOf(error)
  }
}

/** `unknown`: why it cannot be told. */
async function look(
  store: TrustStore,
  root: Facts,
): Promise<{ readonly trusted: boolean; readonly unknown?: string }> {
  try {
    return { trusted: await store.trusts(root) }
  } catch (error) {
    return { trusted: false, unknown: textOf(error) }
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
