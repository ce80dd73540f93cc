/** A response of any length: each part of its text is made when the one before was sent, and no other is in memory. */
import type { Context } from 'hono'

export function streamText(
  context: Context,
  parts: AsyncIterable<string>,
  headers: Record<string, string>,
): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  // Begun here and not in `pull` of a stream: a Worker on PostgreSQL has the connection of a request only in what that began.
  void writeParts(parts, writable)
  return context.body(readable, 200, { ...headers, 'cache-control': 'no-store' })
}

/** Ends early when the client has left; a part that cannot be read breaks the response off. */
async function writeParts(
  parts: AsyncIterable<string>,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  try {
    for await (const text of parts) {
      if (text !== '') await writer.write(encoder.encode(text))
      await giveOthersATurn()
    }
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
  }
}

/** Where the database is a file and the network takes all that comes, no part would wait for anything. */
const giveOthersATurn = () => new Promise<void>((resolve) => void setTimeout(resolve))
