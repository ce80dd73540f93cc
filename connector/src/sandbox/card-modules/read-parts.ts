/** Reads several things of one card: what cannot be read is left out, unless nothing can be. */
import { TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'

export interface PartReader {
  /** One thing in a list, or none: the card does not have it, or does not give it. */
  read<T>(part: () => T | undefined): readonly T[]
  /** Throws the first failure when nothing was read: the card cannot be told from one that has none of it otherwise. */
  requireAny(): void
}

export function createPartReader(): PartReader {
  const failures: unknown[] = []
  let count = 0
  return {
    read(part) {
      try {
        const found = part()
        if (found === undefined) return []
        count += 1
        return [found]
      } catch (error) {
        if (!isUnreadable(error)) throw error
        failures.push(error)
        return []
      }
    },
    requireAny() {
      if (count === 0 && failures.length > 0) throw failures[0]
    },
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof TlvError || (error instanceof CardError && error.problem === 'card-mute')
