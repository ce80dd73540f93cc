/** Streams reader events (SSE): the present readers first, then each change, until the caller's access ends. */
import { Problem } from '@cardwire/protocol/problem'
import { readerEvents } from '@cardwire/protocol/reader'
import { streamSSE } from 'hono/streaming'
import type { Bind } from '../http/route-types.ts'
import { withTimeout } from '../system/timeout.ts'
import { type AccessServices, createAccessWatch } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createReaderFeed } from './reader-feed.ts'

/** How often a comment is sent, in milliseconds, so that each side notices when the other is gone. */
const heartbeatMs = 1000
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
    // A page knows from it when the readers it has may be out of date.
    context.header('cardwire-heartbeat', String(heartbeatMs))
    context.header('access-control-expose-headers', 'cardwire-heartbeat')
    // Otherwise the first stream after the start would begin with a card service that is down.
    await services.readers.ready(readyTimeoutMs)

    return streamSSE(context, async (stream) => {
      let sent = after
      let wake = (): void => undefined
      // What a card says of itself follows its event: a page that watches never lists.
      const unfollow = feed.subscribe(() => {
        wake()
        void services.readers.probe()
      })
      void services.readers.probe()
      const unwatch = access.onRevoked(caller, () => wake())
      stream.onAbort(() => wake())
      try {
        while (!stream.aborted && access.findRevocation(caller) === undefined) {
          // Nothing is kept for a stream that is not read: the feed has the recent events, and a snapshot in place of more.
          const events = feed.getEventsSince(sent)
          if (events.length === 0) {
            const woken = new Promise<'woken'>((resolve) => {
              wake = () => resolve('woken')
            })
            if ((await withTimeout(woken, heartbeatMs)) === 'woken') continue
            await stream.write(': here\n\n')
          }
          for (const event of events) {
            await stream.writeSSE({
              id: String(event.sequence),
              event: event.type,
              data: JSON.stringify(event),
            })
            sent = event.sequence
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
