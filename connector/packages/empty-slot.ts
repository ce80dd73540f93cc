/** What a slot has in a package as it is built. */
import { writeSlot } from '@cardwire/protocol'

/** The bytes of a slot without values. */
export function createEmptySlot(): Uint8Array {
  const slot = writeSlot()
  if (slot === undefined) throw new Error('Cannot write an empty slot')
  return slot
}
