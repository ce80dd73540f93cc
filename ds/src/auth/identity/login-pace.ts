/** Slows down the logins of an address that has failed too often: one in a second, and none is locked out. */
import { Problem } from '@cardwire/protocol'
import type { Clock, Limits } from '../../ports.ts'

/** Between two logins of such an address, in milliseconds: as long as a few password hashes take. */
const paceMs = 1000
/** How many addresses are kept before those whose second is over are forgotten. */
const maxAddresses = 1000

interface LoginPace {
  /** Counts a login as failed before its password is compared. Throws `too-many-requests` when the next one is not due. */
  begin(address: string): Promise<void>
  /** Takes the count back: only failures are counted. */
  takeBack(address: string): Promise<void>
  /** Slows an address down for some seconds: its failures are used up, and its next ones cost no hash. */
  slowDown(address: string, seconds: number): void
}

export function createLoginPace({
  limits,
  clock,
}: {
  readonly limits: Limits
  readonly clock: Clock
}): LoginPace {
  const { admitLogin = createProcessPace(clock) } = limits
  const slowed = new Map<string, { readonly from: number; readonly until: number }>()

  /** After the clock was set back, no address is: it would stay slow until the clock is there again. */
  const isSlowed = (address: string): boolean => {
    const period = slowed.get(address)
    const now = clock()
    return period !== undefined && period.from <= now && now < period.until
  }

  return {
    async begin(address) {
      const isExceeded = (await limits.consume('login', address)) !== undefined
      if (!isExceeded && !isSlowed(address)) return
      if (await admitLogin(address, paceMs)) return
      throw new Problem(
        'too-many-requests',
        'Cannot sign in: many sign-ins from this address have failed, try again in 1 s',
        { retryAfterS: paceMs / 1000 },
      )
    },
    takeBack: (address) => limits.refund('login', address),
    slowDown(address, seconds) {
      if (slowed.size >= maxAddresses)
        for (const other of slowed.keys()) if (!isSlowed(other)) slowed.delete(other)
      const from = clock()
      if (slowed.size < maxAddresses) slowed.set(address, { from, until: from + seconds * 1000 })
    },
  }
}

/** The logins that only this process admits. */
function createProcessPace(clock: Clock): NonNullable<Limits['admitLogin']> {
  const admitted = new Map<string, number>()
  return async (address, intervalMs) => {
    const now = clock()
    const isRecent = (at: number | undefined) => at !== undefined && Math.abs(now - at) < intervalMs
    if (isRecent(admitted.get(address))) return false
    admitted.set(address, now)
    if (admitted.size > maxAddresses)
      for (const [other, at] of admitted) if (!isRecent(at)) admitted.delete(other)
    return true
  }
}
