/** The operations of one reader, or of one library: one after the other, in a process that ends some time after the last. */
import { Problem } from '@cardwire/protocol/problem'
import type { Clock } from '../../system/clock.ts'
import type { CardOperation, CardRequest } from '../../system/ipc/card-messages.ts'
import type { TokenLibrary } from '../../system/ipc/token-messages.ts'
import type { Log } from '../../system/log.ts'
import type { CardProcess, CardReply } from './card-process.ts'
import { createProcessSlot } from './process-slot.ts'
import { createTurns } from './take-turns.ts'

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
  /** Called when its turn has come; throws the Problem that the operation then ends with, before the card is asked anything. */
  readonly requireWanted?: () => void
  /** Of the page that wants it. */
  readonly origin?: string | undefined
  /** Does the operation: a process for it, not for the reader. */
  readonly library?: TokenLibrary
}

export interface OperationQueue {
  /**
   * Does one operation after those that were asked for before; a reset goes before those that wait, however many they are: a PIN that
   * was verified is good until then. Throws a Problem.
   */
  run(reader: string, operation: CardOperation, options: OperationOptions): Promise<CardReply>
  /** The reader whose PIN the process keeps: it does not end by itself then. */
  keepsPinOf(): string | undefined
  /** Ends the process with its PIN, after the operations that were asked for before. */
  forgetPin(): void
  /** Ends the process at once. */
  kill(): void
  /** The same; resolves when it has ended. */
  stop(): Promise<void>
}

export interface QueueOptions {
  /** Starts a process for the reader, or for a library. Throws a Problem. */
  readonly start: (library: TokenLibrary | undefined) => CardProcess
  /** Throws a Problem when the connector is ending. */
  readonly requireRunning: () => void
  /** The queue has had no operation for some time, and its process ends. */
  readonly onIdle: () => void
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

const defaultTimeoutMs = 15_000
/** A process ends so long after its last operation, in milliseconds. */
const idleMs = 5000
/** Beyond the time of an operation it is killed, in milliseconds: it ends its operations by itself, unless a call blocks. */
const graceMs = 1000
/** Operations that wait for one reader. */
const maxQueued = 16

export function createOperationQueue(options: QueueOptions): OperationQueue {
  const { clock, log } = options
  const slot = createProcessSlot(options.start, clock)
  const takeTurn = createTurns()
  let length = 0
  let keepsPinOf: string | undefined
  let cancelIdle = () => {}

  const endLater = () => {
    if (length > 0 || keepsPinOf !== undefined) return
    cancelIdle = clock.after(idleMs, () => {
      slot.end()
      options.onIdle()
    })
  }

  const perform = async (reader: string, operation: CardOperation, given: OperationOptions) => {
    const { pin, signal, library } = given
    cancelIdle()
    signal?.throwIfAborted()
    given.requireWanted?.()
    options.requireRunning()
    const request = toRequest(reader, operation, given)
    const bytes = pin?.kind === 'sent' ? pin.bytes : new Uint8Array()
    const { reply, ...course } = await ask(slot.use(library), request, bytes, { clock, signal })
    if (request.kept) keepsPinOf = reply?.type === 'result' ? reader : undefined
    // What a library keeps of a PIN ends with its process.
    if (library && bytes.length > 0 && !request.kept) slot.end()
    if (reply) return reply
    signal?.throwIfAborted()
    const of = library && { library: library.path }
    log.warn('card process ended', { operation: operation.kind, ...course, ...of })
    throw createNoReply(course)
  }

  return {
    async run(reader, operation, given) {
      const isUrgent = operation.kind === 'reset'
      if (length >= maxQueued && !isUrgent) throw createTooMany()
      length += 1
      try {
        return await takeTurn(() => perform(reader, operation, given), isUrgent)
      } finally {
        length -= 1
        endLater()
      }
    },
    keepsPinOf: () => keepsPinOf,
    forgetPin() {
      keepsPinOf = undefined
      void takeTurn(slot.end)
      endLater()
    },
    kill: slot.kill,
    stop() {
      cancelIdle()
      return slot.stop()
    },
  }
}

/** How an operation went: whether its time was over, and whether it had the card by then. */
interface Course {
  readonly isLate: boolean
  readonly working: boolean
}

/** Asks a process for one operation, and kills it when the time is over or the signal ends the operation. */
async function ask(
  process: CardProcess,
  request: CardRequest,
  pin: Uint8Array,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<Course & { readonly reply: CardReply | undefined }> {
  let working = false
  let isLate = false
  const cancel = clock.after(request.timeoutMs + graceMs, () => {
    isLate = true
    process.kill()
  })
  const abort = () => process.kill()
  signal?.addEventListener('abort', abort)
  const reply = await process.request(request, pin, () => {
    working = true
  })
  cancel()
  signal?.removeEventListener('abort', abort)
  return { reply, isLate, working }
}

function toRequest(
  reader: string,
  operation: CardOperation,
  { pin, timeoutMs = defaultTimeoutMs, library }: OperationOptions,
): CardRequest {
  const kept = toKept(pin)
  return { reader, timeoutMs, operation, ...(kept && { kept }), ...(library && { library }) }
}

function toKept(pin: OperationPin | undefined): CardRequest['kept'] {
  if (pin?.kind === 'kept') return { id: pin.id, use: 'again' }
  return pin?.keepAs === undefined ? undefined : { id: pin.keepAs, use: 'begin' }
}

const createTooMany = () =>
  new Problem('card-busy', 'Cannot use the card: too many requests wait for it', {
    retryAfterS: 1,
  })

const createNoReply = ({ isLate, working }: Course): Problem =>
  isLate && !working
    ? new Problem(
        'card-busy',
        'Cannot use the card: another program is using it, close that program and try again',
      )
    : new Problem('card-mute', 'Cannot use the card: it is not responding')
