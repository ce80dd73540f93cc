/** Ends a server without losing a request that a proxy has sent on a new connection. */
import type { Server } from 'node:http'
import { setImmediate } from 'node:timers/promises'

/** How often the loop turns at most before the server no longer listens: connections that come all the time must not delay the end. */
const maxTurns = 100

/** Call it before the server listens. The result resolves when the running requests are answered. */
export function prepareClose(server: Server): () => Promise<void> {
  let accepted = 0
  server.on('connection', () => {
    accepted += 1
  })
  return async () => {
    // The system resets connections that wait to be accepted when the server stops listening, and a proxy does not send a POST
    // to another node then (RFC 9110 §9.2.2). So the server stops listening after a whole turn of the loop in which none waited.
    await setImmediate()
    for (let turns = 0; turns < maxTurns; turns += 1) {
      const before = accepted
      await setImmediate()
      if (accepted === before) break
    }
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeIdleConnections()
    })
  }
}
