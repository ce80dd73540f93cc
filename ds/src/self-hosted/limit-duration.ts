/** Ends requests whose bodies do not come, and responses that their clients do not read. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The rate of a file (file-stream.ts), so that a long export can be read slowly. */
const leastRate = { windowMs: 60_000, minBytes: 512 * 1024, maxWindows: 60 } as const

/** Ends the limit of a response. */
const limits = new WeakMap<ServerResponse, () => void>()

/**
 * Closes the connection of a response two minutes after its turn, and with it what is buffered, unless its client has read
 * 512 KiB in the second one; then it may go on at that rate for an hour. The first minute does not count: a body may come
 * in it, and the system takes megabytes for a client that reads nothing. What was written at once counts when all of it was
 * taken: only a stream can go on.
 */
export function limitDuration(response: ServerResponse, socket: Socket): void {
  let [windows, taken] = [0, 0]
  const timer = setInterval(() => {
    windows += 1
    const before = taken
    taken = socket.bytesWritten - socket.writableLength
    if (windows === 1) return
    if (taken - before < leastRate.minBytes || windows >= leastRate.maxWindows) response.destroy()
  }, leastRate.windowMs)
  const end = () => clearInterval(timer)
  limits.set(response, end)
  response.once('close', end)
}

/** For a response whose duration is limited in another way. */
export const endDurationLimit = (response: ServerResponse): void => limits.get(response)?.()

/** How long a body may take, in milliseconds: more than the 30 s of receive-body.ts, whose refusal says why. */
const maxBodyMs = 45_000

/** Ends the limit of a body. */
const bodyLimits = new WeakMap<IncomingMessage, () => void>()

/** Calls `onLate` when the body of a request has not come in time after its turn, also where no handler reads it. */
export function limitBody(request: IncomingMessage, onLate: () => void): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (coding === undefined && (length === undefined || length === '0')) return
  const timer = setTimeout(() => {
    // Of a body that nobody reads comes no 'close', though all of it has come.
    if (!request.complete) onLate()
  }, maxBodyMs)
  const end = () => clearTimeout(timer)
  bodyLimits.set(request, end)
  request.once('close', end)
}

/** For a body whose duration is limited in another way: by a rate, which is that of its response too. */
export function allowLongBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  bodyLimits.get(incoming)?.()
  endDurationLimit(outgoing)
}
