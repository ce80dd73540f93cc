/** A port for programs that cannot say which one they took: one that was free a moment ago. */
import { createServer } from 'node:net'

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') return reject(new Error('No port'))
      server.close(() => resolve(address.port))
    })
  })
}
