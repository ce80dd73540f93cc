/** Streams reader events (SSE): the present readers first, then each change, until the caller's access ends. */
import { Problem, type ReaderEvent, readerEvents } from '@cardwire/client/protocol'
import { streamSSE } from 'hono/streaming'
import type { Bind } from '../http/route-types.ts'
import { withTimeout } from '../system/timeout.ts'
import { type AccessServices, createAccessWatch } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createReaderFeed } from './reader-feed.ts'

/** How often a comment is sent, in milliseconds, so that each side notices when the other is gone. */
const heartbeatMs = 5000
/** How long the first stream after the start waits for the sandbox, in milliseconds. */
const readyTimeoutMs = 3000
/** For each origin: a browser has six connections to a host for all its tabs, and other requests need some. */
const maxStreams = 2

type ReaderEventServices = Pick<ApiServices, 'readers' | 'cards'> & AccessServices

export function bindReaderEvents(bind: Bind, services: ReaderEventServices): void {
  const feed = createReaderFeed(services.readers, services.cards)
  const access = createAccessWatch(services)
  const open = new Map<string, number>()

  bind(readerEvents, async ({ query: { after }, caller }, context) => {
    const origin = caller.kind === 'page' ? caller.origin : ''
    const streams = open.get(origin) ?? 0
    if (streams >= maxStreams) {
      throw new Problem(
        'too-many-requests',
        `Cannot open another stream: ${maxStreams} are open, poll the readers`,
        {
          retryAfterS: 5,
        },
      )
    }
    open.set(origin, streams + 1)
    context.env.keepOpen()
    // Otherwise the first stream after the start would begin with a card service that is down.
    await services.readers.ready(readyTimeoutMs)

    return streamSSE(context, async (stream) => {
      const pending: ReaderEvent[] = [...feed.getEventsSince(after)]
      let wake = (): void => undefined
      // What a card says of itself follows its event: a page that watches never lists.
      const unfollow = feed.subscribe((events) => {
        pending.push(...events)
        wake()
        void services.readers.probe()
      })
      void services.readers.probe()
      const unwatch = access.onRevoked(caller, () => wake())
      stream.onAbort(() => wake())
      try {
        while (!stream.aborted && access.findRevocation(caller) === undefined) {
          if (pending.length === 0) {
            const woken = new Promise<'woken'>((resolve) => {
              wake = () => resolve('woken')
            })
            if ((await withTimeout(woken, heartbeatMs)) === 'woken') continue
            await stream.write(': here\n\n')
          }
          for (const event of pending.splice(0)) {
            await stream.writeSSE({
              id: String(event.sequence),
              event: event.type,
              data: JSON.stringify(event),
            })
          }
        }
      } finally {
        unfollow()
        unwatch()
        open.set(origin, (open.get(origin) ?? 1) - 1)
      }
    })
  })
}
