/** How people are told of a store: that it believes the root, that it does not, or that nobody can ask it. */
import type { StoreResult } from '../trust/apply.ts'

/** `remedy`: what makes it one that can be asked; only where it cannot. */
export function storeWords({ store, trusted, reason }: Omit<StoreResult, 'scope'>): {
  readonly what: string
  readonly remedy?: string
} {
  const because = reason === undefined ? '' : `: ${reason}`
  if (trusted) return { what: `${store} believes the root${because}` }
  const [, missing, remedy] = /^(.+ is missing): (install .+)$/.exec(reason ?? '') ?? []
  if (missing === undefined || remedy === undefined)
    return { what: `${store} does not believe the root${because}` }
  return { what: `${store} cannot be asked: ${missing}`, remedy }
}
