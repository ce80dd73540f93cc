/** A card for a reader of vpcd: inserted, removed, and with responses that a test gives. */
import { connect } from 'node:net'

/**
 * Messages of vpcd are a length of two bytes, big-endian, and a payload. From the reader one byte is a control, anything
 * else a command for the card (virtualsmartcard, src/vpcd/vpcd.h).
 */
const controls = { powerOff: 0, powerOn: 1, reset: 2, atr: 4 }

/** pcscd switches off a card that no program has used for some seconds, and on again for the next one. */
export type ResetCause = 'program' | 'power'

export interface VirtualCard {
  /** Resolves once the reader has requested its ATR. */
  readonly atrRequested: Promise<void>
  /** Resolves once the line is closed, by whichever side. */
  readonly closed: Promise<void>
  /** Takes it out; resolves once the reader has closed the line. */
  remove(): Promise<void>
}

/** Puts a card into the reader that listens on `port`. Rejects when there is none. Without an ATR it never responds. */
export async function insertCard(
  port: number,
  card: {
    readonly atr: string
    readonly respond?: (command: Uint8Array) => Uint8Array
    /** It forgets its state: a program has reset it, or the card service has switched its power off or on. */
    readonly reset?: (cause: ResetCause) => void
  },
): Promise<VirtualCard> {
  const { respond = () => Uint8Array.of(0x6d, 0x00), reset = () => undefined } = card
  const atr = Buffer.from(card.atr, 'hex')
  const line = connect(port, '127.0.0.1')
  const connected = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  line.once('connect', connected.resolve)
  line.once('error', connected.reject)
  line.once('close', () => closed.resolve())

  const send = (payload: Uint8Array) => {
    const head = Buffer.alloc(2)
    head.writeUInt16BE(payload.length)
    line.write(Buffer.concat([head, payload]))
  }
  let received = Buffer.alloc(0)
  line.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
      const end = 2 + received.readUInt16BE()
      const message = received.subarray(2, end)
      received = received.subarray(end)
      if (message[0] === controls.atr) requested.resolve()
      if (atr.length === 0) continue
      if (message.length > 1) send(respond(message))
      else if (message[0] === controls.atr) send(atr)
      else reset(message[0] === controls.reset ? 'program' : 'power')
    }
  })
  await connected.promise
  return {
    atrRequested: requested.promise,
    closed: closed.promise,
    async remove() {
      line.destroy()
      await closed.promise
    },
  }
}
