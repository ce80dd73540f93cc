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

interface WatchedReader {
  /** The next part; fails when the transfer is too slow. */
  read(): Promise<ReadableStreamReadResult<Uint8Array>>
  /** Ends the watch: the transfer is over. */
  end(): void
}

/**
 * Reads a body part by part, and fails with what `createError` makes when it is too slow. Without Promise.race, and one promise
 * for all reads: that would keep every part until the end, 700 bytes for a part of one.
 */
export function watchReader(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  rate: LeastRate,
  createError: () => Error,
): WatchedReader {
  let late: Error | undefined
  let failRead: (error: Error) => void = () => undefined
  const watch = watchTransfer(rate, () => {
    late = createError()
    failRead(late)
  })
  const read = () =>
    new Promise<ReadableStreamReadResult<Uint8Array>>((resolve, reject) => {
      if (late) return reject(late)
      failRead = reject
      reader.read().then((result) => {
        watch.count(result.value?.length ?? 0)
        resolve(result)
      }, reject)
    })
  return { read, end: watch.end }
}
