/** A port that was free a moment ago, below those that systems take by themselves. */
import { createServer } from 'node:net'
import { claimForAWhile } from './shared-folder.ts'

/** How long a port is for the test that found it, in milliseconds: until then its program listens. */
const claimMs = 60_000

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 5000)
    if ((await isFree(port)) && (await claimForAWhile(`port-${port}`, claimMs))) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
