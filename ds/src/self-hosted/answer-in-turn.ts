/** Answers the requests of a connection one after the other, and closes one on which too many wait. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** How many requests of a connection may wait for the one before them. Browsers and connectors send none so. */
const maxWaiting = 100

/**
 * A client that sends many requests at once without reading (pipelining, RFC 9112 §9.3.2) would otherwise have all their
 * responses in memory. `open` gets the newest response of each connection, until it is closed.
 */
export function answerInTurn(open: WeakMap<Duplex, ServerResponse>, answer: Answer): Answer {
  const waiting = new WeakMap<Duplex, number>()
  const addWaiting = (socket: Duplex, number: 1 | -1): number => {
    const sum = (waiting.get(socket) ?? 0) + number
    waiting.set(socket, sum)
    return sum
  }
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
    previous.once('close', () => {
      addWaiting(socket, -1)
      if (!socket.destroyed) answer(request, response)
    })
    if (addWaiting(socket, 1) > maxWaiting) socket.destroy()
  }
}
