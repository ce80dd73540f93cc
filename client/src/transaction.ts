/** Commands of a page to a card that it has for itself, from one SELECT to a reset. */
import { encodeBase64 } from '@cardwire/protocol/base64'
import type { Call } from './call-operation.ts'
import type { CallOptions, RawCard } from './core-service.ts'
import * as endpoints from './endpoints.ts'

/** Milliseconds after which the connector ends every session. */
const maxSessionMs = 180_000
/** Seconds after which it ends one that nobody waits for: of a page that went before it did. */
const unheldSessionS = 10

export async function runTransaction<T>(
  { reader, call, readBytes }: TransactionParts,
  aid: string,
  work: (card: RawCard) => Promise<T>,
  options: CallOptions | undefined,
): Promise<T> {
  const params = { reader }
  const sessionId = await call(
    endpoints.openRaw,
    { params, body: { aid, timeout: unheldSessionS } },
    options,
  )
  const session = { params, body: { sessionId } }
  // Until the session ends; while it waits the connector knows that the page is there.
  call(endpoints.holdRaw, session, options, maxSessionMs).catch(() => 0)
  try {
    return await work({
      async transmit(command) {
        const sent = { params, body: { sessionId, data: encodeBase64(command) } }
        return readBytes((await call(endpoints.transmitRaw, sent, options)).data)
      },
    })
  } finally {
    await call(endpoints.closeRaw, session).catch(() => 0)
  }
}

interface TransactionParts {
  readonly reader: string
  readonly call: Call
  /** From base64. */
  readonly readBytes: (text: string) => Uint8Array<ArrayBuffer>
}
