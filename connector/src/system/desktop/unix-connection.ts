/** A connection to a Unix socket of this user: read in parts, and bounded in time and bytes. */
import { getPeerUser } from './linux-socket-peer.ts'

export interface Connection {
  /** Throws when the system does not take all of it at once. */
  write(bytes: string | Uint8Array): void
  /** The next bytes. Rejects when the connection ends before, or reaches a bound. */
  read(size: number): Promise<Buffer>
  /** The next bytes up to a line end, without it. Rejects as `read` does. */
  readLine(): Promise<string>
  close(): void
}

export interface Bounds {
  readonly signal: AbortSignal
  /** Bytes that are received in all. */
  readonly maxBytes: number
}

const lineEnd = '\r\n'

/**
 * Connects to a socket at which this account or root listens: another account can take an abstract name, which begins with
 * a zero, or a path in /tmp, when its program has ended. Rejects otherwise; at the signal everything rejects.
 */
export async function connectToOwnSocket(name: string, bounds: Bounds): Promise<Connection> {
  const received = createReceiver(bounds)
  const connecting = Bun.connect({
    unix: name,
    socket: {
      data: (_, chunk) => received.add(chunk),
      close: () => received.fail('it was closed'),
      error: (_, { message }) => received.fail(message),
    },
  })
  const socket = await Promise.race([connecting, received.failure]).catch((error) => {
    connecting.then((late) => late.terminate()).catch(() => undefined)
    throw error
  })
  const close = () => socket.terminate()
  try {
    const user = getPeerUser(socket)
    if (user !== 0 && user !== process.getuid?.()) throw new Error('It is of another account')
  } catch (error) {
    close()
    throw error
  }
  return {
    write(bytes) {
      const size = Buffer.byteLength(bytes)
      if (socket.write(bytes) !== size) throw new Error(`Cannot send ${size} bytes at once`)
    },
    read: (size) => received.take(() => size),
    readLine: async () => {
      const line = await received.take((buffer) => {
        const end = buffer.indexOf(lineEnd)
        return end < 0 ? undefined : end + lineEnd.length
      })
      return line.toString('latin1', 0, line.length - lineEnd.length)
    },
    close,
  }
}

/** Bytes that have come, until they are taken; `failure` rejects when no more will come. */
function createReceiver({ signal, maxBytes }: Bounds) {
  const failed = Promise.withResolvers<never>()
  const fail = (reason: string) => failed.reject(new Error(`Cannot use the connection: ${reason}`))
  // Nobody may be waiting when it ends.
  failed.promise.catch(() => undefined)
  signal.addEventListener('abort', () => fail('there was no reply in time'), { once: true })
  if (signal.aborted) fail('there was no reply in time')
  let buffer = Buffer.alloc(0)
  let bytes = 0
  let came = Promise.withResolvers<void>()
  return {
    failure: failed.promise,
    fail,
    add(chunk: Uint8Array) {
      bytes += chunk.length
      if (bytes > maxBytes) return fail(`more than ${maxBytes} bytes came`)
      buffer = Buffer.concat([buffer, chunk])
      came.resolve()
      came = Promise.withResolvers<void>()
    },
    /** Waits until there are as many bytes as `measure` wants; undefined: more. */
    async take(measure: (buffer: Buffer) => number | undefined): Promise<Buffer> {
      for (;;) {
        const size = measure(buffer)
        if (size !== undefined && size <= buffer.length) {
          const taken = buffer.subarray(0, size)
          buffer = buffer.subarray(size)
          return taken
        }
        await Promise.race([came.promise, failed.promise])
      }
    },
  }
}
