/** Operations with the cards: a process for each reader, started for the first operation, ended some time after the last. */
import { Problem } from '@cardwire/client/protocol'
import type { CardOperation, CardRequest, CardResult, RawResult } from '../ipc/card-messages.ts'
import type { Clock } from '../system/clock.ts'
import { errorText } from '../system/error-text.ts'
import type { Log } from '../system/log.ts'
import { type CardProcess, type CardReply, startCardProcess } from './card-process.ts'
import { openRawChannel, type RawChannel } from './raw-channel.ts'

export interface OperationOptions {
  /** Overwritten by whoever made it. */
  readonly pin?: Uint8Array
  /** Milliseconds; the longest that a card of ours needs is some seconds. */
  readonly timeoutMs?: number
  /** Ends the operation, which then throws the signal's reason: its process is killed, and the card service resets the card. */
  readonly signal?: AbortSignal
  /** The process keeps the PIN for further signatures, or uses the one that it keeps. */
  readonly kept?: CardRequest['kept']
}

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
  stop(): Promise<void>
}

export interface CardAccessOptions {
  /** The program of a card process and its arguments. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly log: Pick<Log, 'warn' | 'error'>
}

const defaultTimeoutMs = 15_000
/** A process ends so long after its last operation, in milliseconds. */
const idleMs = 5000
/** Beyond the time of an operation it is killed, in milliseconds: it ends its operations by itself, unless a call blocks. */
const graceMs = 1000
/** Operations that wait for one reader. */
const maxQueued = 16

interface ReaderQueue {
  process: CardProcess | undefined
  last: Promise<unknown>
  length: number
  /** Whether its process has a PIN that is kept: it does not end by itself then. */
  keepsPin: boolean
  cancelIdle: () => void
}

export function openCardAccess({ command, env, clock, log }: CardAccessOptions): CardAccess {
  const queues = new Map<string, ReaderQueue>()
  const channels = new Set<RawChannel>()
  let stopped = false

  const start = (): CardProcess => {
    try {
      return startCardProcess(command, env)
    } catch (error) {
      log.error('card process not started', { reason: errorText(error) })
      throw new Problem('card-busy', 'Cannot use the card: its process cannot be started')
    }
  }

  const perform = async (
    queue: ReaderQueue,
    reader: string,
    operation: CardOperation,
    { pin = new Uint8Array(), timeoutMs = defaultTimeoutMs, kept, signal }: OperationOptions,
  ): Promise<CardReply> => {
    queue.cancelIdle()
    signal?.throwIfAborted()
    if (stopped) throw new Problem('card-busy', 'Cannot use the card: the connector is ending')
    const process = queue.process ?? start()
    queue.process = process
    void process.exited.then(() => {
      if (queue.process === process) queue.process = undefined
    })
    let working = false
    let isLate = false
    const cancel = clock.after(timeoutMs + graceMs, () => {
      isLate = true
      process.kill()
    })
    const abort = () => process.kill()
    signal?.addEventListener('abort', abort)
    const request = { reader, timeoutMs, operation, ...(kept && { kept }) }
    const reply = await process.request(request, pin, () => {
      working = true
    })
    cancel()
    signal?.removeEventListener('abort', abort)
    if (kept) queue.keepsPin = reply?.type === 'result'
    if (reply) return reply
    signal?.throwIfAborted()
    log.warn('card process ended', { operation: operation.kind, isLate, working })
    throw isLate && !working
      ? new Problem('card-busy', 'Cannot use the card: another program does not let go of it')
      : new Problem('card-mute', 'Cannot use the card: it does not answer')
  }

  const endLater = (reader: string, queue: ReaderQueue) => {
    if (queue.keepsPin) return
    queue.cancelIdle = clock.after(idleMs, () => {
      queue.process?.end()
      queues.delete(reader)
    })
  }

  return {
    async run(reader, operation, options = {}) {
      const queue = queues.get(reader) ?? createQueue()
      queues.set(reader, queue)
      if (queue.length >= maxQueued) {
        throw new Problem('card-busy', 'Cannot use the card: too many requests wait for it', {
          retryAfterS: 1,
        })
      }
      queue.length += 1
      const turn = queue.last.then(() => perform(queue, reader, operation, options))
      queue.last = turn.catch(() => undefined)
      try {
        return toResult(await turn, operation)
      } finally {
        queue.length -= 1
        if (queue.length === 0) endLater(reader, queue)
      }
    },
    async openRaw(reader) {
      const channel = await openRawChannel(start(), clock, reader)
      channels.add(channel)
      void channel.ended.then(() => channels.delete(channel))
      return channel
    },
    forgetPin(reader) {
      const queue = queues.get(reader)
      if (!queue?.keepsPin) return
      queue.keepsPin = false
      queue.last = queue.last.then(() => {
        queue.process?.end()
        queue.process = undefined
      })
      if (queue.length === 0) endLater(reader, queue)
    },
    async stop() {
      stopped = true
      const running = [...queues.values()].flatMap((queue) => {
        queue.cancelIdle()
        return queue.process ?? []
      })
      for (const process of [...running, ...channels]) process.kill()
      await Promise.all(running.map(({ exited }) => exited))
    },
  }
}

const createQueue = (): ReaderQueue => ({
  process: undefined,
  last: Promise.resolve(),
  length: 0,
  keepsPin: false,
  cancelIdle: () => undefined,
})

function toResult<O extends CardOperation>(
  reply: CardReply,
  { kind }: O,
): Extract<CardResult, { kind: O['kind'] }> {
  if (reply.type === 'failed') {
    const { problem, message, triesLeft } = reply
    throw new Problem(problem, message, triesLeft === undefined ? {} : { triesLeft })
  }
  const { result } = reply
  if (isOfKind<O['kind']>(result, kind)) return result
  throw new Error(`Cannot use the reply to "${kind}": it is one to "${result.kind}"`)
}

const isOfKind = <K extends CardResult['kind']>(
  result: CardResult | RawResult,
  kind: K,
): result is Extract<CardResult, { kind: K }> => result.kind === kind
