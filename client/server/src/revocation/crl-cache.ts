/** Keeps lists of revoked certificates in memory, within a limit of bytes. */
import type { RevocationList } from './crl.ts'

export interface RevocationListCache {
  /** The list with this key: the cached one, or a new one. Simultaneous calls share one load. */
  get(key: string, load: () => Promise<RevocationList>): Promise<RevocationList>
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
  const loading = new Map<string, Promise<RevocationList>>()

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

  const start = (key: string, load: () => Promise<RevocationList>): Promise<RevocationList> => {
    const started = load().finally(() => loading.delete(key))
    loading.set(key, started)
    return started
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
        const list = await (loading.get(key) ?? start(key, load))
        save(key, list)
        return list
      } catch (error) {
        if (isCurrent) return known.list
        throw error
      }
    },
  }
}
