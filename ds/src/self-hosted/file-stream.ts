/** A part of an open file as a stream; Node's server sends it without the overhead of one. */
import type { FileHandle } from 'node:fs/promises'
import { watchTransfer } from '@cardwire/protocol/transfer-watch'
import { applyOverlay, type Overlay } from '../rules/overlay.ts'

/**
 * How many bytes are read at once, and held until the socket has taken them. With 64 KiB a download of 100 MB took twice
 * the processor time (94 ms against 45), most of it turns of the thread that reads. A slow client is measured in chunks: they
 * have to be smaller than `minBytes`.
 */
const chunk = 256 * 1024

/**
 * 512 KiB in every minute (9 KiB/s), and an hour for all: longer windows than for a body, because the system takes
 * megabytes for a fast connection and then nothing until half of them were sent.
 */
const leastRate = { windowMs: 60_000, minBytes: 512 * 1024, maxWindows: 60 }

/**
 * Yields the bytes from `start` to `end`, both included, with those of `overlay` in their place, then closes the file; `onClose`
 * runs then, also after a failure.
 */
export class FileStream extends ReadableStream<Uint8Array<ArrayBuffer>> {
  readonly #part: FilePart

  constructor(
    handle: FileHandle,
    start: number,
    end: number,
    onClose = () => {},
    overlay?: Overlay,
  ) {
    const part = new FilePart(handle, start, end, onClose, overlay)
    // Nothing is read ahead: `sendTo` takes from the same file.
    super(
      {
        start: (controller) => {
          part.slow.catch((error) => controller.error(error))
        },
        async pull(controller) {
          const bytes = await part.next(new Uint8Array(chunk))
          if (bytes) controller.enqueue(bytes)
          else controller.close()
        },
        cancel: () => part.close(),
      },
      { highWaterMark: 0 },
    )
    this.#part = part
  }

  /**
   * Passes every chunk to `write`, which resolves when it no longer needs the bytes; to be used instead of reading the
   * stream. There is one buffer, which is filled again once it was written, so that a large file makes no garbage and a
   * client that does not read holds no more than that.
   */
  async sendTo(write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
    const part = this.#part
    const buffer = new Uint8Array(chunk)
    try {
      for (let bytes = await part.next(buffer); bytes; bytes = await part.next(buffer))
        await Promise.race([write(bytes), part.slow])
    } finally {
      await part.close()
    }
  }
}

class FilePart {
  readonly #handle: FileHandle
  readonly #end: number
  readonly #onClose: () => void
  readonly #overlay: Overlay | undefined
  readonly #watch: ReturnType<typeof watchTransfer>
  /** Rejects, and the file is closed, when the bytes are taken too slowly. */
  readonly slow: Promise<never>
  #position: number
  #isClosed = false

  constructor(
    handle: FileHandle,
    start: number,
    end: number,
    onClose: () => void,
    overlay: Overlay | undefined,
  ) {
    this.#handle = handle
    this.#position = start
    this.#end = end
    this.#onClose = onClose
    this.#overlay = overlay
    const slow = Promise.withResolvers<never>()
    this.slow = slow.promise
    this.slow.catch(() => undefined)
    this.#watch = watchTransfer(leastRate, () => {
      slow.reject(new Error(`Cannot send the file from ${this.#position}: it is taken too slowly`))
      void this.close()
    })
  }

  /** The next bytes, in `buffer`; undefined when there are none left, and the file is closed then. */
  async next(buffer: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const wanted = Math.min(buffer.length, this.#end + 1 - this.#position)
    if (wanted <= 0) {
      await this.close()
      return undefined
    }
    const { bytesRead } = await this.#handle.read(buffer, 0, wanted, this.#position)
    if (bytesRead === 0) {
      await this.close()
      // A file that gets shorter during its download must not look complete.
      throw new Error(`Cannot read the file at ${this.#position}: it became shorter`)
    }
    if (this.#overlay) applyOverlay(buffer.subarray(0, bytesRead), this.#position, this.#overlay)
    this.#position += bytesRead
    this.#watch.count(bytesRead)
    return buffer.subarray(0, bytesRead)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#watch.end()
    this.#onClose()
    await this.#handle.close()
  }
}
