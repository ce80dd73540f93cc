/** A part of an object as a stream: every byte that was promised, or an error. */
import { applyOverlay, type Overlay } from '../../rules/overlay.ts'
import { BucketFault } from './bucket-fault.ts'

/** How long the bucket may let its reader wait for the next bytes, in milliseconds. */
const stallMs = 30_000

interface Part {
  readonly start: number
  readonly length: number
  readonly overlay: Overlay | undefined
  /** Runs once, also after a failure. */
  onClose(): void
}

/** Nothing is read ahead: a client that does not read holds no more than the connection does. */
export function createObjectStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { start, length, overlay, onClose }: Part,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  let position = start
  const end = start + length
  let isClosed = false
  const close = () => {
    if (isClosed) return
    isClosed = true
    onClose()
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { value, done } = await readInTime(reader)
          if (done) {
            // One that gets shorter during its download must not look complete.
            if (position < end) throw new BucketFault('sent too few bytes', 'unreachable')
            close()
            return controller.close()
          }
          if (position + value.length > end) throw new BucketFault('sent too many bytes', 'refused')
          if (overlay) applyOverlay(value, position, overlay)
          position += value.length
          controller.enqueue(value)
        } catch (error) {
          close()
          void reader.cancel().catch(() => undefined)
          throw error
        }
      },
      async cancel() {
        close()
        await reader.cancel()
      },
    },
    { highWaterMark: 0 },
  )
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

function readInTime(reader: Reader): ReturnType<Reader['read']> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new BucketFault('does not send the rest in time', 'unreachable')),
      stallMs,
    )
    const settle =
      <T>(act: (value: T) => void) =>
      (value: T) => {
        clearTimeout(timer)
        act(value)
      }
    reader.read().then(settle(resolve), settle(reject))
  })
}
