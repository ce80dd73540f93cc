/** Readers: listed, awaited. */
import {
  detectAnyCard,
  detectCard,
  detectReaders,
  getReader,
  listAtrs,
  listReaders,
  Problem,
  type Reader,
} from '@cardwire/client/protocol'
import type { Context } from 'hono'
import { waitFor } from '../readers/detect.ts'
import type { Snapshot } from '../readers/readers.ts'
import type { ApiEnv, Bind } from './bind.ts'
import { presenter } from './present.ts'
import { type RightParts, rightOf } from './right.ts'
import type { Services } from './services.ts'

/** How long the first listing after a start waits for the sandbox, in milliseconds. */
const patienceMs = 3000

type Parts = Pick<Services, 'readers' | 'cards'> & RightParts

export function readerRoutes(bind: Bind, services: Parts): void {
  const { readers, cards } = services
  const present = presenter(cards)
  const right = rightOf(services)

  const current = async (): Promise<readonly Reader[]> => {
    await readers.ready(patienceMs)
    return shown(readers.snapshot())
  }
  const shown = ({ pcsc, readers: seen }: Snapshot): readonly Reader[] => {
    if (pcsc.kind === 'down') {
      throw new Problem('pcsc-unavailable', `Cannot list the readers: ${pcsc.reason}`, {
        retryAfterS: 2,
      })
    }
    return seen.map(present)
  }
  const one = (all: readonly Reader[], id: string): Reader => {
    const found = all.find((reader) => reader.id === id)
    if (!found)
      throw new Problem(
        'reader-unknown',
        `Cannot find reader "${id}": it is not there, list the readers again`,
      )
    return found
  }
  /**
   * Waits in the middle of a request: no idle time ends it, but the page going away does, and so does the end of its right.
   */
  const wait = async <T>(
    context: Context<ApiEnv>,
    seconds: number,
    holds: (all: readonly Reader[]) => T | undefined,
  ): Promise<T | null> => {
    context.env.keepOpen()
    const caller = context.get('caller')
    const { signal } = context.req.raw
    const over = new AbortController()
    const end = () => over.abort()
    const unwatch = right.onLost(caller, end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    try {
      const find = (snapshot: Snapshot) => holds(shown(snapshot))
      // A failure would tell of the readers, too.
      return await waitFor(readers, find, seconds * 1000, over.signal).finally(() => {
        const problem = right.lost(caller)
        if (problem) throw problem
      })
    } finally {
      unwatch()
      signal.removeEventListener('abort', end)
    }
  }

  bind(listReaders, async ({ query: { cardInserted, excluded } }) => {
    const parts = (excluded ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter(Boolean)
    const all = await current()
    const data = all.filter(
      ({ name, card }) =>
        (cardInserted === undefined || (cardInserted === 'true') === (card !== undefined)) &&
        !parts.some((part) => name.toLowerCase().includes(part)),
    )
    return { data }
  })

  bind(detectReaders, async ({ query: { timeout } }, context) => {
    await current()
    return { data: await wait(context, timeout, (all) => (all.length > 0 ? [...all] : undefined)) }
  })

  bind(detectAnyCard, async ({ query: { timeout } }, context) => {
    await current()
    return { data: await wait(context, timeout, (all) => all.find(({ card }) => card)) }
  })

  bind(getReader, async ({ params: { id } }) => ({ data: one(await current(), id) }))

  bind(detectCard, async ({ params: { id }, query: { timeout } }, context) => {
    one(await current(), id)
    const withCard = (all: readonly Reader[]) => {
      const reader = one(all, id)
      return reader.card ? reader : undefined
    }
    return { data: await wait(context, timeout, withCard) }
  })

  // No module handles cards yet: what is listed is computed from the modules, and that is nothing.
  bind(listAtrs, async () => ({ data: [] }))
}
