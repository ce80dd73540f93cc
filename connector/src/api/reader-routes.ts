/** Lists readers, and waits for readers and cards. */
import { Problem } from '@cardwire/protocol/problem'
import {
  detectAnyCard,
  detectCard,
  detectReaders,
  getReader,
  listReaders,
  type Reader,
} from '@cardwire/protocol/reader'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import type { Snapshot } from '../sandbox/readers/readers.ts'
import { waitForReaders } from '../sandbox/readers/wait-for.ts'
import { type AccessServices, createAccessWatch } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createReaderView } from './reader-view.ts'

/** How long the first request after the start waits for the sandbox, in milliseconds. */
const readyTimeoutMs = 3000

type ReaderRouteServices = Pick<ApiServices, 'readers' | 'cards'> & AccessServices

export function bindReaderRoutes(bind: Bind, services: ReaderRouteServices): void {
  const { readers, cards } = services
  const present = createReaderView(cards)

  const listCurrent = async (): Promise<readonly Reader[]> => {
    await readers.ready(readyTimeoutMs)
    await readers.probe()
    return toReaders(readers.snapshot())
  }
  const toReaders = ({ pcsc, readers: connected }: Snapshot): readonly Reader[] => {
    // Tokens of libraries need no card service.
    if (pcsc.kind === 'down' && connected.length === 0) {
      throw new Problem('pcsc-unavailable', `Cannot list the readers: ${pcsc.reason}`, {
        retryAfterS: 2,
      })
    }
    return connected.map(present)
  }
  const wait = createReaderWait(services, toReaders)

  bind(listReaders, async ({ query: { cardInserted, excluded } }) => {
    const excludedNames = (excluded ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean)
    const all = await listCurrent()
    const data = all.filter(
      ({ name, card }) =>
        (cardInserted === undefined || (cardInserted === 'true') === (card !== undefined)) &&
        !excludedNames.some((part) => name.toLowerCase().includes(part)),
    )
    return { data }
  })

  bind(detectReaders, async ({ query: { timeout } }, context) => {
    await listCurrent()
    return { data: await wait(context, timeout, (all) => (all.length > 0 ? [...all] : undefined)) }
  })

  bind(detectAnyCard, async ({ query: { timeout } }, context) => {
    await listCurrent()
    return { data: await wait(context, timeout, (all) => all.find(({ card }) => card)) }
  })

  bind(getReader, async ({ params: { id } }) => ({ data: requireReader(await listCurrent(), id) }))

  bind(detectCard, async ({ params: { id }, query: { timeout } }, context) => {
    requireReader(await listCurrent(), id)
    const withCard = (all: readonly Reader[]) => {
      const reader = requireReader(all, id)
      return reader.card ? reader : undefined
    }
    return { data: await wait(context, timeout, withCard) }
  })
}

function requireReader(all: readonly Reader[], id: string): Reader {
  const found = all.find((reader) => reader.id === id)
  if (found) return found
  throw new Problem(
    'reader-unknown',
    `Cannot find reader "${id}": it is not there, list the readers again`,
  )
}

/** Waits within a request, until there is a result, the time is up, the page disconnects, or the caller's access ends. */
function createReaderWait(
  services: ReaderRouteServices,
  toReaders: (snapshot: Snapshot) => readonly Reader[],
) {
  const access = createAccessWatch(services)
  return async <T>(
    context: Context<ApiEnv>,
    seconds: number,
    find: (all: readonly Reader[]) => T | undefined,
  ): Promise<T | null> => {
    context.env.keepOpen()
    const caller = context.get('caller')
    const { signal } = context.req.raw
    const ended = new AbortController()
    const end = () => ended.abort()
    const unwatch = access.onRevoked(caller, end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    try {
      const findIn = (snapshot: Snapshot) => find(toReaders(snapshot))
      // Checked also after a failure, which would reveal something about the readers.
      return await waitForReaders(services.readers, findIn, seconds * 1000, ended.signal).finally(
        () => {
          const problem = access.findRevocation(caller)
          if (problem) throw problem
        },
      )
    } finally {
      unwatch()
      signal.removeEventListener('abort', end)
    }
  }
}
