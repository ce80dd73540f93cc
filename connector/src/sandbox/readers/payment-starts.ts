/** A payment card counts its transactions and is dead after 65,535: each reading starts one for each insertion, and a page few. */
import { Problem } from '@cardwire/protocol/problem'
import type { CardOperation, CardResult } from '../../system/ipc/card-messages.ts'
import { emv } from '../card-modules/emv.ts'
import type { CardAccess } from './card-access.ts'
import type { OperationOptions } from './operation-queue.ts'
import type { Readers } from './readers.ts'

/** Transactions that one origin starts while a card stays in its reader; pages need about ten. */
export const maxPaymentStarts = 40

/** What is known of a card until it is taken out. */
interface Insertion {
  /** The sandbox that watches it. While none runs, a card can be replaced unnoticed. */
  readonly sandboxPid: number
  /** By origin. */
  readonly starts: Map<string, number>
  /** By operation. */
  readonly results: Map<string, Promise<CardResult>>
}

/** The same access. What was read of a card that is still there is not read again. Throws `too-many-requests` for an origin that starts too many transactions. */
export function limitPaymentStarts(
  cards: CardAccess,
  readers: Pick<Readers, 'subscribe' | 'sandboxPid'>,
): CardAccess {
  /** By reader. */
  const insertions = new Map<string, Insertion>()
  readers.subscribe((snapshot) => {
    for (const reader of insertions.keys()) {
      const found = snapshot.readers.find(({ name }) => name === reader)
      if (!found?.card) insertions.delete(reader)
    }
  })
  const findInsertion = (reader: string): Insertion => {
    const sandboxPid = readers.sandboxPid()
    const known = insertions.get(reader)
    if (known?.sandboxPid === sandboxPid) return known
    const insertion = { sandboxPid, starts: known?.starts ?? new Map(), results: new Map() }
    insertions.set(reader, insertion)
    return insertion
  }
  const run = async (
    reader: string,
    operation: CardOperation,
    given: OperationOptions,
  ): Promise<CardResult> => {
    const id = identify(operation)
    const { promise, resolve, reject } = Promise.withResolvers<CardResult>()
    let insertion: Insertion | undefined
    // At its turn: another call may have read the same meanwhile.
    const requireWanted = () => {
      given.requireWanted?.()
      const found = findInsertion(reader)
      const known = found.results.get(id)
      if (known) throw new AlreadyRead(known)
      countStart(found.starts, operation, given.origin)
      if (!isReading(operation)) return
      found.results.set(id, promise)
      insertion = found
    }
    try {
      const result = await cards.run(reader, operation, { ...given, requireWanted })
      resolve(result)
      return result
    } catch (error) {
      if (error instanceof AlreadyRead)
        return error.result.catch(() => run(reader, operation, given))
      insertion?.results.delete(id)
      promise.catch(() => undefined)
      reject(error)
      throw error
    }
  }

  return {
    ...cards,
    async run<O extends CardOperation>(reader: string, operation: O, given: OperationOptions = {}) {
      if (countStarts(operation) === 0) return cards.run(reader, operation, given)
      return (await run(reader, operation, given)) as Extract<CardResult, { kind: O['kind'] }>
    },
  }
}

function countStart(starts: Insertion['starts'], operation: CardOperation, origin = ''): void {
  const count = (starts.get(origin) ?? 0) + countStarts(operation)
  if (count > maxPaymentStarts) throw createTooManyProblem()
  starts.set(origin, count)
}

/** How many transactions it starts. A PIN is verified in a second one, after the operation that prepares it. */
function countStarts(operation: CardOperation): 0 | 1 | 2 {
  if (isReading(operation)) return 1
  return operation.kind === 'prepare' && operation.module === emv.id ? 2 : 0
}

const isReading = ({ kind }: CardOperation) => kind === 'payment-data' || kind === 'payment-keys'

const identify = (operation: CardOperation) => JSON.stringify(operation)

class AlreadyRead extends Error {
  readonly result: Promise<CardResult>
  constructor(result: Promise<CardResult>) {
    super('The card was read')
    this.result = result
  }
}

const createTooManyProblem = () =>
  new Problem(
    'too-many-requests',
    'Cannot use the card: this page has started too many transactions with it. Remove the card, then insert it again',
  )
