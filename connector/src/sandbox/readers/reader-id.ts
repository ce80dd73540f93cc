/** Identifiers of readers, derived from their names: a reader keeps its own when it is plugged in again. */
import { createHash } from 'node:crypto'

/**
 * For each name 16 hex digits of its SHA-256, which need no escaping in a path. Should two names share them, the
 * second in order gets the digits of another round.
 */
export function createReaderIds(
  names: readonly string[],
  hash: (text: string) => string = hashToSixteenDigits,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names.toSorted()) {
    let id = hash(name)
    for (let round = 2; taken.has(id); round += 1) id = hash(`${name}\0${round}`)
    taken.add(id)
    ids.set(name, id)
  }
  return ids
}

const hashToSixteenDigits = (text: string) =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)
