/** How long nobody is asked again after a "no": a page that repeats its request must not wear the person down. */

/** Milliseconds after the first refusal; each that follows makes it four times as long. */
export const refusalPause = { firstMs: 30_000, factor: 4, maxMs: 3_600_000 } as const

export interface RefusalPauses {
  /** Milliseconds until this may be asked again; 0: now. */
  remainingMs(key: string): number
  recordRefusal(key: string): void
  forget(key: string): void
}

/** `clock` gives milliseconds and is never set back. */
export function createRefusalPauses(clock: () => number): RefusalPauses {
  const pauses = new Map<string, { readonly until: number; readonly ms: number }>()
  return {
    remainingMs: (key) => Math.max(0, (pauses.get(key)?.until ?? 0) - clock()),
    recordRefusal(key) {
      const before = pauses.get(key)
      const { firstMs, factor, maxMs } = refusalPause
      const ms = Math.min(before ? before.ms * factor : firstMs, maxMs)
      pauses.set(key, { until: clock() + ms, ms })
    },
    forget: (key) => void pauses.delete(key),
  }
}
