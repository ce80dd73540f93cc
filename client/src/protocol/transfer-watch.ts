/** Watches a transfer, and ends it when it is too slow or takes too long. */

interface LeastRate {
  readonly windowMs: number
  /** How many bytes each window has to bring. */
  readonly minBytes: number
  /** The transfer has ended before so many windows have passed. */
  readonly maxWindows: number
}

interface TransferWatch {
  /** Counts bytes that were transferred. */
  count(bytes: number): void
  /** Ends the watch: the transfer is over. */
  end(): void
}

/** Calls `onTooSlow` once, when a window has brought too little or the last one has passed. */
export function watchTransfer(
  { windowMs, minBytes, maxWindows }: LeastRate,
  onTooSlow: () => void,
): TransferWatch {
  let [windows, received] = [0, 0]
  const timer = setInterval(() => {
    windows += 1
    const isTooSlow = received < minBytes || windows >= maxWindows
    received = 0
    if (!isTooSlow) return
    clearInterval(timer)
    onTooSlow()
  }, windowMs)
  return {
    count: (bytes) => {
      received += bytes
    },
    end: () => clearInterval(timer),
  }
}
