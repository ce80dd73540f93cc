/** Limits what an account registers within a minute: to parse a list of origins takes far longer than to send it. */

/** Bytes: registrations of a hundred agents with 400 origins each need half of them. */
const bytesPerMinute = 4 * 1024 ** 2
/** What a registration counts at least, in bytes. */
const leastBytes = 4096
/** Accounts that are remembered; the one that registered least recently is forgotten first. */
const maxAccounts = 1000

/**
 * Returns a function that counts a registration of so many bytes: 0, or the milliseconds until the account may register again, and then
 * not counted. An account that the system does not name may be any, and is not limited.
 */
export function createRegistrationLimit(
  clock: () => number,
): (user: string | undefined, bytes: number) => number {
  const accounts = new Map<string, { readonly bytes: number; readonly at: number }>()
  return (user, bytes) => {
    if (user === undefined) return 0
    const now = clock()
    const last = accounts.get(user) ?? { bytes: 0, at: now }
    // A clock that is set back gives nothing back.
    const regainedBytes = (Math.max(0, now - last.at) * bytesPerMinute) / 60_000
    const counted = Math.max(0, last.bytes - regainedBytes)
    const wanted = counted + Math.max(leastBytes, bytes)
    const overBytes = wanted - bytesPerMinute
    accounts.delete(user)
    accounts.set(user, { bytes: overBytes > 0 ? counted : wanted, at: now })
    for (const [oldest] of accounts) {
      if (accounts.size <= maxAccounts) break
      accounts.delete(oldest)
    }
    return overBytes > 0 ? Math.ceil((overBytes * 60_000) / bytesPerMinute) : 0
  }
}
