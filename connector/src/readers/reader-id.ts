/** Identifiers of readers: made from their names, so that a reader keeps its own when it is plugged in again. */
import { createHash } from 'node:crypto'

/**
 * For each name 16 hex digits of its SHA-256, which need no escaping in a path. Two names that share them, which
 * nobody has seen, get the digits of another round, in the order of the names.
 */
export function readerIds(
  names: readonly string[],
  digits: (text: string) => string = sixteenDigits,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names.toSorted()) {
    let id = digits(name)
    for (let round = 2; taken.has(id); round += 1) id = digits(`${name}\0${round}`)
    taken.add(id)
    ids.set(name, id)
  }
  return ids
}

const sixteenDigits = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)
