/** Peers that are slow or say nothing: clients of a port, and a server in place of one that a program asks. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export interface Crowd {
  /** How many of them are connected. */
  connected(): number
  end(): void
}

/** What a client does once it is connected: nothing, a header that never ends, or a handshake of TLS and nothing. */
export type Manner = 'silent' | 'slow' | 'silent after its handshake'

/** Connects so many clients to a port of this machine. `ca`: the root (PEM) that those with TLS trust. */
export async function startCrowd(
  port: number,
  count: number,
  manners: readonly Manner[],
  ca = '',
): Promise<Crowd> {
  const sockets: Socket[] = []
  const timers: NodeJS.Timeout[] = []
  const connecting = Array.from({ length: count }, async (_, at) => {
    const manner = manners[at % manners.length]
    const isTls = manner === 'silent after its handshake'
    const socket = isTls
      ? connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca })
      : connect(port, '127.0.0.1')
    // Without a reader it would not learn that it was closed.
    socket.on('error', () => undefined).resume()
    sockets.push(socket)
    if (manner === 'slow') {
      socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ')
      timers.push(setInterval(() => socket.write('x'), 200))
    }
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  })
  await Promise.all(connecting)
  return {
    connected: () => sockets.filter((socket) => !socket.destroyed).length,
    end() {
      for (const timer of timers) clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    },
  }
}

export interface SilentServer {
  readonly port: number
  close(): Promise<void>
}

/** Takes connections and says nothing. `port`: 0 for any that is free. */
export async function startSilentServer(port = 0): Promise<SilentServer> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}
