/** Shortens an allowlist to what one registration can carry: the registry refuses a registration that is too large. */
import { registrationLimits } from '../../system/ipc/registry-messages.ts'

/** Bytes of JSON; the registry reads requests up to a megabyte, which hold more than the allowlist. */
const maxBytes = 900_000

export interface BoundedAllowlist {
  readonly entries: readonly string[]
  /** How many entries were left out: those that are too long, and the last of too many. */
  readonly dropped: number
}

export function truncateAllowlist(allowlist: readonly string[]): BoundedAllowlist {
  let remainingBytes = maxBytes
  const entries = allowlist
    .filter((entry) => entry.length <= registrationLimits.entryLength)
    .slice(0, registrationLimits.allowlistEntries)
    .filter((entry) => {
      remainingBytes -= Buffer.byteLength(JSON.stringify(entry)) + 1
      return remainingBytes >= 0
    })
  return { entries, dropped: allowlist.length - entries.length }
}
