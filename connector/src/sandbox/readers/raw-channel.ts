/** A card that a page has for its commands: a process of its own, which holds the card until it ends. */
import { Problem } from '@cardwire/protocol/problem'
import type { Clock } from '../../system/clock.ts'
import type { RawRequest, RawResult } from '../../system/ipc/card-messages.ts'
import type { CardProcess } from './card-process.ts'

export interface RawChannel {
  readonly protocol: 'T=0' | 'T=1'
  /** One command, one answer with its status word. Throws a Problem, after which the channel has ended. */
  transmit(command: Uint8Array): Promise<Uint8Array>
  /** Resets the card, and ends. */
  close(): Promise<void>
  /** Ends at once; the card service resets the card. */
  kill(): void
  readonly ended: Promise<unknown>
}

/** Milliseconds that a card may take for a command, and that other programs may have it before. */
const timeoutMs = 15_000

/** Throws a Problem. */
export async function openRawChannel(
  process: CardProcess,
  clock: Pick<Clock, 'after'>,
  reader: string,
): Promise<RawChannel> {
  const ask = async <K extends RawResult['kind']>(
    raw: RawRequest['raw'],
    kind: K,
  ): Promise<Extract<RawResult, { kind: K }>> => {
    let working = raw.kind !== 'open'
    const cancel = clock.after(timeoutMs, () => process.kill())
    const reply = await process.request({ reader, raw }, new Uint8Array(), () => {
      working = true
    })
    cancel()
    if (reply?.type === 'result' && isOfKind(reply.result, kind)) return reply.result
    process.kill()
    if (reply?.type === 'failed') throw new Problem(reply.problem, reply.message)
    throw working
      ? new Problem('card-mute', 'Cannot use the card: it is not responding')
      : new Problem(
          'card-busy',
          'Cannot use the card: another program is using it, close that program and try again',
        )
  }

  const { protocol } = await ask({ kind: 'open' }, 'raw-open')
  return {
    protocol,
    ended: process.exited,
    kill: () => process.kill(),
    async transmit(command) {
      const text = Buffer.from(command).toString('base64')
      const { answer } = await ask({ kind: 'transmit', command: text }, 'raw-transmit')
      return Buffer.from(answer, 'base64')
    },
    async close() {
      await ask({ kind: 'close' }, 'raw-close')
      process.end()
      await process.exited
    },
  }
}

const isOfKind = <K extends RawResult['kind']>(
  result: { readonly kind: string },
  kind: K,
): result is Extract<RawResult, { kind: K }> => result.kind === kind
