/** A part of an open file: a stream for everybody, and what Node's server needs to send it without one. */
import type { FileHandle } from 'node:fs/promises'

/** Bytes read at once: large enough that a call costs little beside the copying. */
const chunk = 256 * 1024

/** Yields the bytes from `start` to `end`, both included, and closes the file behind itself. */
export class FileStream extends ReadableStream<Uint8Array<ArrayBuffer>> {
  readonly #part: FilePart

  constructor(handle: FileHandle, start: number, end: number) {
    const part = new FilePart(handle, start, end)
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
      const bytes = await part.next(new Uint8Array(chunk))
      if (bytes) controller.enqueue(bytes)
      else controller.close()
    }
    // Nothing is read ahead: `sendTo` takes from the same file.
    super({ pull, cancel: () => part.close() }, { highWaterMark: 0 })
    this.#part = part
  }

  /**
   * Hands every piece to `write`, which resolves when it no longer needs the bytes. Two buffers take turns: one is read
   * into while the other is written, and no garbage is made however large the file. Instead of reading the stream.
   */
  async sendTo(write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
    let [free, busy] = [new Uint8Array(chunk), new Uint8Array(chunk)]
    let written = Promise.resolve()
    try {
      for (let bytes = await this.#part.next(free); bytes; bytes = await this.#part.next(free)) {
        await written
        written = write(bytes)
        // Looked at in the next turn; until then a failure is no unhandled one.
        written.catch(() => undefined)
        ;[free, busy] = [busy, free]
      }
      await written
    } finally {
      await this.#part.close()
    }
  }
}

class FilePart {
  readonly #handle: FileHandle
  readonly #end: number
  #position: number

  constructor(handle: FileHandle, start: number, end: number) {
    this.#handle = handle
    this.#position = start
    this.#end = end
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
      // A file that shrinks under a download must not end as if it were whole.
      throw new Error(`Cannot read the file at ${this.#position}: it became shorter`)
    }
    this.#position += bytesRead
    return buffer.subarray(0, bytesRead)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
