/** Operations with the cards: a process for each reader, started for the first operation, ended some time after the last. */
import { Problem } from '@cardwire/protocol/problem'
import type { Clock } from '../../system/clock.ts'
import { errorText } from '../../system/error-text.ts'
import type { CardOperation, CardResult, RawResult } from '../../system/ipc/card-messages.ts'
import type { Log } from '../../system/log.ts'
import { type CardProcess, type CardReply, startCardProcess } from './card-process.ts'
import {
  createOperationQueue,
  type OperationOptions,
  type OperationQueue,
} from './operation-queue.ts'
import { openRawChannel, type RawChannel } from './raw-channel.ts'

export interface CardAccess {
  /** Does one operation with the card in the reader of this name, after those that were asked for before. Throws a Problem. */
  run<O extends CardOperation>(
    reader: string,
    operation: O,
    options?: OperationOptions,
  ): Promise<Extract<CardResult, { kind: O['kind'] }>>
  /** Has the card for commands of a page, in a process of its own. Throws a Problem. */
  openRaw(reader: string): Promise<RawChannel>
  /** Ends the process that keeps a PIN for this reader, after the operations that were asked for before. */
  forgetPin(reader: string): void
  /** Ends the process of the library with this path at once. */
  endLibrary(path: string): void
  stop(): Promise<void>
}

export interface CardAccessOptions {
  /** The program of a card process and its arguments. */
  readonly command: readonly string[]
  /** That of a process for a library of tokens. */
  readonly tokenCommand: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly log: Pick<Log, 'warn' | 'error'>
}

export function openCardAccess(options: CardAccessOptions): CardAccess {
  const { env, clock, log } = options
  const queues = new Map<string, OperationQueue>()
  const channels = new Set<RawChannel>()
  let stopped = false

  const start = (command = options.command): CardProcess => {
    try {
      return startCardProcess(command, env)
    } catch (error) {
      log.error('card process not started', { reason: errorText(error) })
      throw new Problem('card-busy', 'Cannot use the card: its process cannot be started')
    }
  }
  const requireRunning = () => {
    if (stopped) throw new Problem('card-busy', 'Cannot use the card: the connector is ending')
  }
  const openQueue = (name: string): OperationQueue => {
    const queue = createOperationQueue({
      start: (library) => start(library && options.tokenCommand),
      requireRunning,
      onIdle: () => queues.delete(name),
      clock,
      log,
    })
    queues.set(name, queue)
    return queue
  }

  return {
    async run(reader, operation, given = {}) {
      const name = given.library ? toQueueName(given.library.path) : reader
      const queue = queues.get(name) ?? openQueue(name)
      const reply = await queue.run(reader, operation, given)
      if (reply.type === 'failed' && reply.defect !== undefined)
        log.error('library not used', { reason: reply.defect })
      return toResult(reply, operation)
    },
    async openRaw(reader) {
      const channel = await openRawChannel(start(), clock, reader)
      channels.add(channel)
      void channel.ended.then(() => channels.delete(channel))
      return channel
    },
    forgetPin: (reader) =>
      [...queues.values()].find((queue) => queue.keepsPinOf() === reader)?.forgetPin(),
    endLibrary: (path) => queues.get(toQueueName(path))?.kill(),
    async stop() {
      stopped = true
      const ended = [...queues.values()].map((queue) => queue.stop())
      for (const channel of channels) channel.kill()
      await Promise.all(ended)
    },
  }
}

/** No reader is called so. */
const toQueueName = (path: string) => `library ${path}`

function toResult<O extends CardOperation>(
  reply: CardReply,
  { kind }: O,
): Extract<CardResult, { kind: O['kind'] }> {
  if (reply.type === 'failed') {
    const { problem, message, triesLeft, isPinUnsent } = reply
    throw new Problem(problem, message, {
      ...(triesLeft !== undefined && { triesLeft }),
      ...(isPinUnsent && { isPinUnsent }),
    })
  }
  const { result } = reply
  if (isOfKind<O['kind']>(result, kind)) return result
  throw new Error(`Cannot use the reply to "${kind}": it is one to "${result.kind}"`)
}

const isOfKind = <K extends CardResult['kind']>(
  result: CardResult | RawResult,
  kind: K,
): result is Extract<CardResult, { kind: K }> => result.kind === kind
