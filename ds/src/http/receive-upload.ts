/** The body of an upload, as its bytes come: one that is too slow or ends too early is a problem. */
import { Problem } from '@cardwire/protocol'
import { watchReader } from '@cardwire/protocol/transfer-watch'

/** 4 KiB/s in every half minute, and two hours for all: 500 MB need 70 kB/s. */
const leastRate = { windowMs: 30_000, minBytes: 120 * 1024, maxWindows: 240 }

/** `onFailure` gets the problem before the stream fails with it: not every runtime passes an error on as it is. */
export function receiveUpload(
  body: ReadableStream<Uint8Array>,
  onFailure: (problem: Problem) => void,
  rate = leastRate,
): ReadableStream<Uint8Array> {
  // Never cancelled: on Node that closes the connection, and with it the way of the response.
  const { read, end } = watchReader(body.getReader(), rate, createTooSlow)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await read()
          if (value) controller.enqueue(value)
          if (!done) return
          end()
          controller.close()
        } catch (error) {
          end()
          const problem = error instanceof Problem ? error : createEndedEarly()
          onFailure(problem)
          throw problem
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

const createTooSlow = () =>
  new Problem(
    'request-too-slow',
    'Cannot receive the file: it arrives too slowly, send it again from its start',
    { headers: { connection: 'close' } },
  )

/** Nobody reads this response, but it is no failure of the service. */
const createEndedEarly = () =>
  new Problem('body-malformed', 'Cannot read the body: the connection was closed before its end')
