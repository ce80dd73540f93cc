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
import type { Services } from './services.ts'

/** How long the first listing after a start waits for the sandbox, in milliseconds. */
const patienceMs = 3000

export function readerRoutes(bind: Bind, { readers, cards }: Services): void {
  const present = presenter(cards)

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
  /** Waits in the middle of a request: no idle time ends it, but the page going away does. */
  const wait = <T>(
    context: Context<ApiEnv>,
    seconds: number,
    holds: (all: readonly Reader[]) => T | undefined,
  ) => {
    context.env.keepOpen()
    return waitFor(
      readers,
      (snapshot) => holds(shown(snapshot)),
      seconds * 1000,
      context.req.raw.signal,
    )
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
