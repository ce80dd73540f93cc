/** What the registry hears of an allowlist: as much as one request holds, for a registration stands or falls whole. */
import { longest } from './protocol.ts'

/** Bytes of JSON; a request of a megabyte is read, and says more than this. */
const mostBytes = 900_000

export interface ToldAllowlist {
  readonly entries: readonly string[]
  /** How many were left out: over-long ones, and the last of too many. */
  readonly dropped: number
}

export function toldAllowlist(allowlist: readonly string[]): ToldAllowlist {
  let left = mostBytes
  const entries = allowlist
    .filter((entry) => entry.length <= longest.entry)
    .slice(0, longest.allowlist)
    .filter((entry) => {
      left -= Buffer.byteLength(JSON.stringify(entry)) + 1
      return left >= 0
    })
  return { entries, dropped: allowlist.length - entries.length }
}
