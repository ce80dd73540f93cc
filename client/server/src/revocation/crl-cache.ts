/** Keeps lists of revoked certificates in memory, within a limit of bytes. */
import { createSharedCall } from '../shared-call.ts'
import type { RevocationList } from './crl.ts'

type Load = () => Promise<RevocationList>

export interface RevocationListCache {
  /** The list with this key: the cached one, or a new one. Simultaneous calls share one load. */
  get(key: string, load: Load): Promise<RevocationList>
}

export interface CacheOptions {
  readonly maxBytes: number
  /** Returns milliseconds since 1970. */
  readonly clock: () => number
}

/** Milliseconds after which a list is loaded again before its next update: a CA may issue one early after many revocations. */
const refreshAfterMs = 3_600_000

interface CachedList {
  readonly list: RevocationList
  readonly loadedAt: number
}

/** Lists that failed to load are not cached. A cached list is used until its next update when it cannot be loaded again. */
export function createRevocationListCache({ maxBytes, clock }: CacheOptions): RevocationListCache {
  // In the order of their last use.
  const cached = new Map<string, CachedList>()
  const loading = new Map<string, (load: Load) => Promise<RevocationList>>()

  const save = (key: string, list: RevocationList): void => {
    cached.delete(key)
    if (list.bytes.length > maxBytes) return
    cached.set(key, { list, loadedAt: clock() })
    let bytes = [...cached.values()].reduce((sum, one) => sum + one.list.bytes.length, 0)
    for (const [oldest, one] of cached) {
      if (bytes <= maxBytes) return
      cached.delete(oldest)
      bytes -= one.list.bytes.length
    }
  }

  const loadOnce = async (key: string, load: Load): Promise<RevocationList> => {
    const call = loading.get(key) ?? createSharedCall((own: Load) => own())
    loading.set(key, call)
    try {
      return await call(load)
    } finally {
      if (loading.get(key) === call) loading.delete(key)
    }
  }

  return {
    async get(key, load) {
      const known = cached.get(key)
      const now = clock()
      const isCurrent = known !== undefined && now < known.list.nextUpdate.getTime()
      if (isCurrent && known.loadedAt <= now && now < known.loadedAt + refreshAfterMs) {
        cached.delete(key)
        cached.set(key, known)
        return known.list
      }
      try {
        const list = await loadOnce(key, load)
        // An attacker between the CA and this back end may send an older one, in which less is revoked.
        const newest = isCurrent && known.list.thisUpdate > list.thisUpdate ? known.list : list
        save(key, newest)
        return newest
      } catch (error) {
        if (isCurrent) return known.list
        throw error
      }
    },
  }
}
