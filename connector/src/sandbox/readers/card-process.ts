/** One card process: the requests sent to it, its replies, and its end. */
import {
  type CardRequest,
  encodeFrame,
  FromCardProcess,
  messageStart,
  type RawRequest,
  type FromCardProcess as Reply,
} from '../../system/ipc/card-messages.ts'
import { readLines } from '../../system/ipc/read-lines.ts'
import { readLine } from '../../system/ipc/sandbox-messages.ts'

export type CardReply = Exclude<Reply, { type: 'phase' }>

export interface CardProcess {
  /** Resolves with its reply; undefined: it ended without one. One request at a time. */
  request(
    request: CardRequest | RawRequest,
    pin: Uint8Array,
    onWorking: () => void,
  ): Promise<CardReply | undefined>
  /** Lets it end by itself. */
  end(): void
  /** Ends it at once; the card service resets a card that it was using. */
  kill(): void
  readonly exited: Promise<unknown>
}

/** Throws when it cannot be started. */
export function startCardProcess(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CardProcess {
  const child = Bun.spawn([...command], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit', env })
  let pending: { resolve(reply?: CardReply): void; onWorking(): void } | undefined
  const settle = (reply?: CardReply) => {
    pending?.resolve(reply)
    pending = undefined
  }
  const listen = async () => {
    try {
      for await (const line of readLines(child.stdout)) {
        const start = line.lastIndexOf(messageStart)
        if (start < 0) continue
        const message = readLine(FromCardProcess, line.slice(start + 1))
        if (message.type !== 'phase') settle(message)
        else if (message.phase === 'working') pending?.onWorking()
      }
    } catch {
      // Output that is not ours.
      child.kill('SIGKILL')
    }
    await child.exited
    settle()
  }
  const exited = listen()

  return {
    exited,
    kill: () => child.kill('SIGKILL'),
    end: () => void child.stdin.end(),
    async request(request, pin, onWorking) {
      const { promise, resolve } = Promise.withResolvers<CardReply | undefined>()
      pending = { resolve, onWorking }
      const frame = encodeFrame(request, pin)
      try {
        child.stdin.write(frame)
        await child.stdin.flush()
      } catch {
        // It has ended.
        settle()
      } finally {
        frame.fill(0)
      }
      return promise
    },
  }
}
