/** Finds a port that no program listens on. */
import { createServer } from 'node:net'

/** The first port of the range that is free on both loopback addresses; undefined when none is. The port is not reserved. */
export async function findFreePort(range: {
  readonly first: number
  readonly last: number
}): Promise<number | undefined> {
  for (let port = range.first; port <= range.last; port += 1) {
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::1'))) return port
  }
  return undefined
}

/** A port is free on an address that this machine does not have. */
const isFree = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', (error) =>
      resolve('code' in error && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')),
    )
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
