/** How long nobody is asked again after a "no": a page that repeats its request must not wear the user down. */

/** Milliseconds after the first refusal; each that follows makes it four times as long. */
export const refusalPause = { firstMs: 30_000, factor: 4, maxMs: 3_600_000 } as const

/** Windows that a page opens and closes again without an answer; the last of them counts as a refusal. */
export const maxWithdrawals = 3

export interface RefusalPauses {
  /** Milliseconds until this may be asked again; 0: now. */
  remainingMs(key: string): number
  recordRefusal(key: string): void
  /** The window was closed before the user answered. */
  recordWithdrawal(key: string): void
  forget(key: string): void
}

/** `clock` gives milliseconds and is never set back. */
export function createRefusalPauses(clock: () => number): RefusalPauses {
  const pauses = new Map<string, { readonly until: number; readonly ms: number }>()
  const withdrawals = new Map<string, number>()

  const recordRefusal = (key: string): void => {
    const before = pauses.get(key)
    const { firstMs, factor, maxMs } = refusalPause
    const ms = Math.min(before ? before.ms * factor : firstMs, maxMs)
    pauses.set(key, { until: clock() + ms, ms })
    withdrawals.delete(key)
  }

  return {
    remainingMs: (key) => Math.max(0, (pauses.get(key)?.until ?? 0) - clock()),
    recordRefusal,
    recordWithdrawal(key) {
      const count = (withdrawals.get(key) ?? 0) + 1
      withdrawals.set(key, count)
      if (count === maxWithdrawals) recordRefusal(key)
    },
    forget(key) {
      pauses.delete(key)
      withdrawals.delete(key)
    },
  }
}
