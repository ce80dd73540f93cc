/** The stream of reader events: what is there first, then each change, until the right to see it ends. */
import { entriesFor, Problem, type ReaderEvent, readerEvents } from '@cardwire/client/protocol'
import { streamSSE } from 'hono/streaming'
import type { Bind, Caller } from './bind.ts'
import { readerFeed } from './reader-feed.ts'
import type { Services } from './services.ts'

/** A comment this often shows both sides that the other is there, in milliseconds. */
const heartbeatMs = 5000
/** A browser has six connections for a host and all its tabs; more streams would leave none for answers. */
const mostStreams = 2

type Parts = Pick<
  Services,
  'readers' | 'cards' | 'consents' | 'allowlist' | 'onAllowlist' | 'clock'
>

export function eventStream(bind: Bind, services: Parts): void {
  const { readers, cards, consents, allowlist, onAllowlist, clock } = services
  const feed = readerFeed(readers, cards)
  const open = new Map<string, number>()

  /** Whether the caller may still see what it sees; asked at every turn, so that a change is noticed in the middle. */
  const mayGoOn = (caller: Caller) =>
    caller.kind !== 'anyone' &&
    clock() < caller.expiresAt &&
    (caller.kind === 'program' ||
      (consents.holds(caller.origin) &&
        entriesFor(caller.origin).some((entry) => allowlist().includes(entry))))

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
      const forget = [consents.onEnd(() => wake()), onAllowlist(() => wake())]
      stream.onAbort(() => wake())
      try {
        while (!stream.aborted && mayGoOn(caller)) {
          if (waiting.length === 0) {
            const turn = new Promise<'woken'>((resolve) => {
              wake = () => resolve('woken')
            })
            const left = caller.kind === 'anyone' ? 0 : caller.expiresAt - clock()
            if ((await within(turn, Math.min(heartbeatMs, left))) === 'woken') continue
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
        for (const each of forget) each()
        open.set(origin, (open.get(origin) ?? 1) - 1)
      }
    })
  })
}

/** What `promise` gives, or undefined after the time, without leaving a timer behind. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const timer = Promise.withResolvers<undefined>()
  const handle = setTimeout(() => timer.resolve(undefined), ms)
  try {
    return await Promise.race([promise, timer.promise])
  } finally {
    clearTimeout(handle)
  }
}
