/** Responses that take time: a detection, and the stream of reader events. */
import type { ReaderEvent } from '@cardwire/protocol/reader'
import type { Machine } from './machine.ts'
import type { User } from './user.ts'

/** The first result of `find` that is not undefined, now or after a change; null when time is up. */
export function waitUntil<T>(
  machine: Machine,
  find: () => T | undefined,
  timeoutS: number,
  signal: AbortSignal,
): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      unsubscribe()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const look = (): void => {
      try {
        const found = find()
        if (found !== undefined) end(() => resolve(found))
      } catch (error) {
        end(() => reject(error))
      }
    }
    const onAbort = (): void => end(() => reject(signal.reason))
    const timer = setTimeout(() => end(() => resolve(null)), timeoutS * 1000)
    const unsubscribe = machine.subscribe(look)
    signal.addEventListener('abort', onAbort)
    look()
  })
}

/** Server-sent events as a connector sends them, until the client leaves or the consent ends. */
export function streamEvents(
  machine: Machine,
  user: User,
  after: number | undefined,
  signal: AbortSignal,
): Response {
  const encoder = new TextEncoder()
  let release = (): void => undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (event: ReaderEvent): void =>
        controller.enqueue(
          encoder.encode(
            `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
          ),
        )
      const end = (): void => {
        release()
        controller.close()
      }
      const unsubscribe = machine.subscribe(send)
      const unlisten = user.onRevoked(end)
      signal.addEventListener('abort', end)
      release = () => {
        unsubscribe()
        unlisten()
        signal.removeEventListener('abort', end)
      }
      for (const event of machine.eventsAfter(after)) send(event)
      controller.enqueue(encoder.encode(': complete\n\n'))
    },
    cancel: () => release(),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
