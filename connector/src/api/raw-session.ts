/** One session in which a page sends commands to a card. */
import { Problem } from '@cardwire/protocol/problem'
import type { PageCaller } from '../http/route-types.ts'
import { readName, selectsApplication } from '../sandbox/card-modules/raw-command.ts'
import type { RawChannel } from '../sandbox/readers/raw-channel.ts'
import type { Clock } from '../system/clock.ts'

export interface RawCard {
  readonly caller: PageCaller
  readonly readerId: string
  /** The name of the reader. */
  readonly reader: string
  readonly atr: string
}

export interface RawSession {
  readonly id: string
  readonly protocol: RawChannel['protocol']
  /** Sends the commands one after the other. Throws a Problem, and sends none when one of them may not be sent in any state. */
  transmit(commands: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  /** Resets the card, after the commands that were sent before. */
  close(): Promise<void>
  /** Its page waits for its end: it does not end for want of commands. */
  hold(): void
  /** Ends it at once; the card is reset. */
  end(reason: string): void
  /** Resolves with the reason. */
  readonly ended: Promise<string>
}

export interface SessionOptions {
  readonly channel: RawChannel
  /** Without a command it ends. */
  readonly idleMs: number
  readonly timers: Pick<Clock, 'after'>
  /** Throws when the command may not be sent. */
  readonly requireAllowed: (command: Uint8Array, isSelected: boolean) => void
  /** Calls back when the session has to end. `selected` is the application, upper-case hex. */
  readonly watch: (selected: () => string | undefined, end: (reason: string) => void) => () => void
  /** Called once, with the number of commands that were sent. */
  readonly onEnd: (reason: string, commands: number) => void
}

export function createRawSession(options: SessionOptions): RawSession {
  const { channel, requireAllowed } = options
  const ended = Promise.withResolvers<string>()
  let selected: string | undefined
  let isOver = false
  let last: Promise<unknown> = Promise.resolve()
  let unwatch = (): void => undefined
  let commands = 0
  const settle = (reason: string): boolean => {
    if (isOver) return false
    isOver = true
    unwatch()
    idle.end()
    ended.resolve(reason)
    options.onEnd(reason, commands)
    return true
  }
  const end = (reason: string) => {
    if (settle(reason)) channel.kill()
  }
  const idle = createIdleTimer(options, () => end('timeout'))
  const send = async (command: Uint8Array): Promise<Uint8Array> => {
    if (isOver) throw createUnknown()
    requireAllowed(command, selected !== undefined)
    commands += 1
    const answer = await channel.transmit(command)
    if (isOver) throw createUnknown()
    if (selectsApplication(command)) selected = isSuccess(answer) ? readName(command) : undefined
    return answer
  }
  const run = async (all: readonly Uint8Array[]): Promise<readonly Uint8Array[]> => {
    const answers: Uint8Array[] = []
    for (const command of all) answers.push(await send(command))
    return answers
  }
  unwatch = options.watch(() => selected, end)
  // Its page has lost its access while it waited for the card.
  if (isOver) unwatch()
  void channel.ended.then(() => settle('card'))
  idle.restart()
  return {
    id: crypto.randomUUID(),
    protocol: channel.protocol,
    ended: ended.promise,
    end,
    hold: idle.end,
    transmit(all) {
      for (const command of all) requireAllowed(command, true)
      idle.pause()
      const turn = last.then(() => run(all))
      last = turn.then(idle.restart, idle.restart)
      return turn
    },
    async close() {
      await last
      if (settle('closed')) await channel.close().catch(() => channel.kill())
    },
  }
}

/** Calls back when it is not restarted for so long. */
function createIdleTimer(
  { timers, idleMs }: Pick<SessionOptions, 'timers' | 'idleMs'>,
  onIdle: () => void,
) {
  let cancel = (): void => undefined
  let hasEnded = false
  return {
    pause: () => cancel(),
    restart() {
      cancel()
      if (!hasEnded) cancel = timers.after(idleMs, onIdle)
    },
    /** For good. */
    end() {
      hasEnded = true
      cancel()
    },
  }
}

/** 9000, more of the answer to come, or a warning (ISO/IEC 7816-4 §5.6). */
export const isSuccess = (answer: Uint8Array): boolean =>
  [0x90, 0x61, 0x62, 0x63].includes(answer.at(-2) ?? 0)

export const createUnknown = () =>
  new Problem(
    'card-session-unknown',
    'Cannot continue: the session has ended, or belongs to another page',
  )
