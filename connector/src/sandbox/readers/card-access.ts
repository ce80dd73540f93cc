/** Operations with the cards: a process for each reader, started for the first operation, ended some time after the last. */
import { Problem } from '@cardwire/client/protocol'
import type { Clock } from '../../system/clock.ts'
import { errorText } from '../../system/error-text.ts'
import type {
  CardOperation,
  CardRequest,
  CardResult,
  RawResult,
} from '../../system/ipc/card-messages.ts'
import type { TokenLibrary } from '../../system/ipc/token-messages.ts'
import type { Log } from '../../system/log.ts'
import { type CardProcess, type CardReply, startCardProcess } from './card-process.ts'
import { openRawChannel, type RawChannel } from './raw-channel.ts'

/** The PIN of an operation; one that is typed at a pad, only the reader and the card have. */
export type OperationPin =
  /** It goes with the operation. The caller overwrites the bytes. `keepAs`: the process keeps it for further signatures, under this id. */
  | {
      readonly kind: 'sent'
      readonly bytes: Uint8Array
      readonly keepAs?: string | undefined
    }
  /** The process keeps it, under this id. */
  | { readonly kind: 'kept'; readonly id: string }

export interface OperationOptions {
  readonly pin?: OperationPin
  /** Milliseconds; the longest that a card of ours needs is some seconds. */
  readonly timeoutMs?: number
  /** Ends the operation, which then throws the signal's reason: its process is killed, and the card service resets the card. */
  readonly signal?: AbortSignal
  /** Does the operation: a process for it, not for the reader. */
  readonly library?: TokenLibrary
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

const defaultTimeoutMs = 15_000
/** A process ends so long after its last operation, in milliseconds. */
const idleMs = 5000
/** Beyond the time of an operation it is killed, in milliseconds: it ends its operations by itself, unless a call blocks. */
const graceMs = 1000
/** Operations that wait for one reader. */
const maxQueued = 16

/** Of one reader, or of one library. */
interface Queue {
  process: CardProcess | undefined
  last: Promise<unknown>
  length: number
  /** The reader whose PIN its process keeps: it does not end by itself then. */
  keepsPinOf: string | undefined
  cancelIdle: () => void
}

export function openCardAccess(options: CardAccessOptions): CardAccess {
  const { env, clock, log } = options
  const queues = new Map<string, Queue>()
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

  const perform = async (
    queue: Queue,
    reader: string,
    operation: CardOperation,
    { pin, timeoutMs = defaultTimeoutMs, signal, library }: OperationOptions,
  ): Promise<CardReply> => {
    queue.cancelIdle()
    signal?.throwIfAborted()
    if (stopped) throw new Problem('card-busy', 'Cannot use the card: the connector is ending')
    const process = queue.process ?? start(library && options.tokenCommand)
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
    const kept = toKept(pin)
    const bytes = pin?.kind === 'sent' ? pin.bytes : new Uint8Array()
    const more = { ...(kept && { kept }), ...(library && { library }) }
    const request = { reader, timeoutMs, operation, ...more }
    const reply = await process.request(request, bytes, () => {
      working = true
    })
    cancel()
    signal?.removeEventListener('abort', abort)
    if (kept) queue.keepsPinOf = reply?.type === 'result' ? reader : undefined
    if (library && bytes.length > 0 && !kept) {
      // What a library keeps of a PIN ends with its process.
      end(process)
      queue.process = undefined
    }
    if (reply) return reply
    signal?.throwIfAborted()
    const of = library && { library: library.path }
    log.warn('card process ended', { operation: operation.kind, isLate, working, ...of })
    throw isLate && !working
      ? new Problem('card-busy', 'Cannot use the card: another program does not let go of it')
      : new Problem('card-mute', 'Cannot use the card: it does not answer')
  }

  const endLater = (name: string, queue: Queue) => {
    if (queue.keepsPinOf !== undefined) return
    queue.cancelIdle = clock.after(idleMs, () => {
      end(queue.process)
      queues.delete(name)
    })
  }
  /** A library may hang at the end of its process. */
  const end = (process: CardProcess | undefined) => {
    if (!process) return
    process.end()
    const cancel = clock.after(graceMs, process.kill)
    void process.exited.then(cancel)
  }

  return {
    async run(reader, operation, given = {}) {
      const name = given.library ? toQueueName(given.library.path) : reader
      const queue = queues.get(name) ?? createQueue()
      queues.set(name, queue)
      if (queue.length >= maxQueued) {
        throw new Problem('card-busy', 'Cannot use the card: too many requests wait for it', {
          retryAfterS: 1,
        })
      }
      queue.length += 1
      const turn = queue.last.then(() => perform(queue, reader, operation, given))
      queue.last = turn.catch(() => undefined)
      try {
        const reply = await turn
        if (reply.type === 'failed' && reply.defect !== undefined)
          log.error('library not used', { reason: reply.defect })
        return toResult(reply, operation)
      } finally {
        queue.length -= 1
        if (queue.length === 0) endLater(name, queue)
      }
    },
    async openRaw(reader) {
      const channel = await openRawChannel(start(), clock, reader)
      channels.add(channel)
      void channel.ended.then(() => channels.delete(channel))
      return channel
    },
    forgetPin(reader) {
      const found = [...queues].find(([, { keepsPinOf }]) => keepsPinOf === reader)
      if (!found) return
      const [name, queue] = found
      queue.keepsPinOf = undefined
      queue.last = queue.last.then(() => {
        end(queue.process)
        queue.process = undefined
      })
      if (queue.length === 0) endLater(name, queue)
    },
    endLibrary: (path) => queues.get(toQueueName(path))?.process?.kill(),
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

function toKept(pin: OperationPin | undefined): CardRequest['kept'] {
  if (pin?.kind === 'kept') return { id: pin.id, use: 'again' }
  return pin?.keepAs === undefined ? undefined : { id: pin.keepAs, use: 'begin' }
}

/** No reader is called so. */
const toQueueName = (path: string) => `library ${path}`

const createQueue = (): Queue => ({
  process: undefined,
  last: Promise.resolve(),
  length: 0,
  keepsPinOf: undefined,
  cancelIdle: () => undefined,
})

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
