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

/**
 * Calls `onTooSlow` once, when a window has brought too little or the last one has passed. `isExcused`: whether a window that has
 * ended may have brought little.
 */
export function watchTransfer(
  { windowMs, minBytes, maxWindows }: LeastRate,
  onTooSlow: () => void,
  isExcused = () => false,
): TransferWatch {
  let [windows, received] = [0, 0]
  const timer = setInterval(() => {
    windows += 1
    const excused = isExcused()
    const isTooSlow = (received < minBytes && !excused) || windows >= maxWindows
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

interface WatchedReader {
  /** The next part; fails when the transfer is too slow. */
  read(): Promise<ReadableStreamReadResult<Uint8Array>>
  /** Ends the watch: the transfer is over. */
  end(): void
}

/**
 * Reads a body part by part, and fails with what `createError` makes when it is too slow. It is not when its reader was: a window
 * does not count of which the last part was used for more than half, as it is where a store takes its time. Without Promise.race, and one promise
 * for all reads: that would keep every part until the end, 700 bytes for a part of one.
 */
export function watchReader(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  rate: LeastRate,
  createError: () => Error,
): WatchedReader {
  let late: Error | undefined
  let failRead: (error: Error) => void = () => undefined
  let usedMs = 0
  let usedSince: number | undefined
  const countUse = (next?: number) => {
    if (usedSince !== undefined) usedMs += performance.now() - usedSince
    usedSince = next
  }
  const isExcused = () => {
    countUse(usedSince === undefined ? undefined : performance.now())
    const used = usedMs
    usedMs = 0
    return used > rate.windowMs / 2
  }
  const onTooSlow = () => {
    late = createError()
    failRead(late)
  }
  const watch = watchTransfer(rate, onTooSlow, isExcused)
  const read = () =>
    new Promise<ReadableStreamReadResult<Uint8Array>>((resolve, reject) => {
      if (late) return reject(late)
      countUse()
      failRead = reject
      reader.read().then((result) => {
        watch.count(result.value?.length ?? 0)
        usedSince = performance.now()
        resolve(result)
      }, reject)
    })
  return { read, end: watch.end }
}
