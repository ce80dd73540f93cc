/** A port that was free a moment ago. */
import { createServer } from 'node:net'

/** For a service that has to be told its own address before it listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(),
      )
    })
  })
}
