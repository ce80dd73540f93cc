/** A proxy in front of the service that can withhold the response to a synchronization. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { syncDevice } from '@cardwire/protocol'

export interface Way {
  /** As the variable HTTP_PROXY wants it. */
  readonly proxy: string
  /** Resolves when the next answer is here, which goes no further, with what ends the connection that waits for it. */
  withholdNext(): Promise<() => void>
  close(): void
}

export async function openWay(): Promise<Way> {
  let withhold: ((drop: () => void) => void) | undefined
  /** Speaks with the connector in the place of the service. */
  const between = createServer((incoming, response) => {
    const { method, url: path = '', headers } = incoming
    const onward = request(`http://${headers.host}${path}`, { method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        if (path === syncDevice.path && withhold) {
          withhold(() => response.destroy())
          withhold = undefined
        } else response.writeHead(answer.statusCode ?? 0, answer.headers).end(Buffer.concat(parts))
      })
    })
    incoming.pipe(onward.on('error', () => response.destroy()))
  })
  const proxy = createServer().on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    between.emit('connection', socket)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    withholdNext: () =>
      new Promise((resolve) => {
        withhold = resolve
      }),
    close: () => proxy.close(),
  }
}
