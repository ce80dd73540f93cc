/** Answers the requests of a connection one after the other, and closes one on which too much waits. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** How many requests of a connection may wait for the one before them, and their bytes together. Browsers and connectors send none so. */
const maxWaiting = { requests: 20, bytes: 64 * 1024 } as const

/** Those of a connection that wait. */
const waiting = new WeakMap<Duplex, Set<IncomingMessage>>()

/** Responses that wait for news. */
const held = new WeakSet<ServerResponse>()

/**
 * A client that sends many requests at once without reading (pipelining, RFC 9112 §9.3.2) would otherwise have all their
 * responses in memory. `open` gets the newest response of each connection, until it is closed.
 */
export function answerInTurn(open: WeakMap<Duplex, ServerResponse>, answer: Answer): Answer {
  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const previous = open.get(socket)
    open.set(socket, response)
    response.once('close', () => {
      if (open.get(socket) === response) open.delete(socket)
    })
    if (!previous) {
      answer(request, response)
      return
    }
    const others = waiting.get(socket) ?? new Set()
    waiting.set(socket, others.add(request))
    previous.once('close', () => {
      others.delete(request)
      if (!socket.destroyed) answer(request, response)
    })
    if (held.has(previous) || isTooMuch(others)) socket.destroy()
  }
}

/** For a response that waits for news: its client sends nothing behind it, and nothing may wait that long. */
export function holdTurn(response: ServerResponse): void {
  held.add(response)
  const { socket } = response
  if (socket && waiting.get(socket)?.size) socket.destroy()
}

const isTooMuch = (requests: ReadonlySet<IncomingMessage>) =>
  requests.size > maxWaiting.requests ||
  [...requests].reduce((sum, request) => sum + countBytes(request), 0) > maxWaiting.bytes

/** Of a header, and of what has come of a body. */
const countBytes = ({ url = '', rawHeaders, readableLength }: IncomingMessage) =>
  rawHeaders.reduce((sum, { length }) => sum + length, url.length + readableLength)
