/** What the simulated connector answers about readers: lists, events, and waiting for a card. */
import * as contract from '@cardwire/protocol'
import { Problem } from '@cardwire/protocol/problem'
import type { Reader } from '@cardwire/protocol/reader'
import type { Machine } from './machine.ts'
import { type BoundOperation, bind } from './responder.ts'
import type { User } from './user.ts'
import { streamEvents, waitUntil } from './waiting.ts'

/** In the order in which they match. */
export function createReaderOperations(machine: Machine, user: User): readonly BoundOperation[] {
  const listReaders = (): readonly Reader[] => {
    const reason = machine.cardServiceReason()
    if (reason !== undefined) throw new Problem('pcsc-unavailable', reason)
    return machine.readers()
  }
  /** `find` is called again after each change; null when time is up. */
  const detect = async <T>(
    find: (readers: readonly Reader[]) => T | undefined,
    timeoutS: number,
    signal: AbortSignal,
  ): Promise<{ data: T | null }> => ({
    data: await waitUntil(machine, () => find(listReaders()), timeoutS, signal),
  })

  return [
    bind(contract.readerEvents, async ({ query: { after } }, { signal }) =>
      streamEvents(machine, user, after, signal),
    ),
    bind(contract.detectReaders, async ({ query: { timeout } }, { signal }) =>
      detect((readers) => (readers.length > 0 ? [...readers] : undefined), timeout, signal),
    ),
    bind(contract.detectAnyCard, async ({ query: { timeout } }, { signal }) =>
      detect((readers) => readers.find(({ card }) => card), timeout, signal),
    ),
    bind(contract.detectCard, async ({ params: { id }, query: { timeout } }, { signal }) => {
      const find = () => {
        const reader = machine.findReader(id)
        return reader.card && reader
      }
      return detect(find, timeout, signal)
    }),
    bind(contract.listReaders, async ({ query: { cardInserted, excluded = '' } }) => {
      const parts = excluded.toLowerCase().split(',').filter(Boolean)
      const isListed = ({ card, name }: Reader): boolean =>
        (cardInserted === undefined || (cardInserted === 'true') === (card !== undefined)) &&
        !parts.some((part) => name.toLowerCase().includes(part))
      return { data: listReaders().filter(isListed) }
    }),
    bind(contract.getReader, async ({ params: { id } }) => {
      listReaders()
      return { data: machine.findReader(id) }
    }),
  ]
}
