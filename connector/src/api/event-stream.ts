/** The stream of reader events: what is there first, then each change, until the right to see it ends. */
import { Problem, type ReaderEvent, readerEvents } from '@cardwire/client/protocol'
import { streamSSE } from 'hono/streaming'
import { within } from '../system/within.ts'
import type { Bind } from './bind.ts'
import { readerFeed } from './reader-feed.ts'
import { type RightParts, rightOf } from './right.ts'
import type { Services } from './services.ts'

/** A comment this often shows both sides that the other is there, in milliseconds. */
const heartbeatMs = 5000
/** A browser has six connections for a host and all its tabs; more streams would leave none for answers. */
const mostStreams = 2

type Parts = Pick<Services, 'readers' | 'cards'> & RightParts

export function eventStream(bind: Bind, services: Parts): void {
  const feed = readerFeed(services.readers, services.cards)
  const right = rightOf(services)
  const open = new Map<string, number>()

  bind(readerEvents, async ({ query: { after }, caller }, context) => {
    const origin = caller.kind === 'page' ? caller.origin : ''
    const streams = open.get(origin) ?? 0
    if (streams >= mostStreams) {
      throw new Problem(
        'too-many-requests',
        `Cannot open another stream: ${mostStreams} are open, poll the readers`,
        {
          retryAfterS: 5,
        },
      )
    }
    open.set(origin, streams + 1)
    context.env.keepOpen()

    return streamSSE(context, async (stream) => {
      const waiting: ReaderEvent[] = [...feed.begin(after)]
      let wake = (): void => undefined
      const unfollow = feed.follow((events) => {
        waiting.push(...events)
        wake()
      })
      const unwatch = right.onLost(caller, () => wake())
      stream.onAbort(() => wake())
      try {
        while (!stream.aborted && right.lost(caller) === undefined) {
          if (waiting.length === 0) {
            const turn = new Promise<'woken'>((resolve) => {
              wake = () => resolve('woken')
            })
            if ((await within(turn, heartbeatMs)) === 'woken') continue
            await stream.write(': here\n\n')
          }
          for (const event of waiting.splice(0)) {
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
