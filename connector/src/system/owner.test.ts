/** Whose process is at the other end: real connections, real tables of the system. */
import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { linuxOwner, type OwnerOf, remembering } from './owner.ts'

test.runIf(process.platform === 'linux').each(['127.0.0.1', '::1'])(
  'linuxOwner names our own user over %s',
  async (host) => {
    const server = createServer().listen(0, host)
    await new Promise((listening) => server.once('listening', listening))
    const address = server.address()
    const port = address && typeof address === 'object' ? address.port : 0
    const accepted = new Promise<{ address: string; port: number }>((resolve) =>
      server.once('connection', (socket) =>
        resolve({ address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 }),
      ),
    )
    const client = connect(port, host)
    expect(await linuxOwner(await accepted, port)).toEqual({
      kind: 'user',
      uid: process.getuid?.(),
    })
    client.destroy()
    server.close()
  },
)

test.runIf(process.platform === 'linux')(
  'linuxOwner does not know a connection that is not there',
  async () => {
    expect(await linuxOwner({ address: '127.0.0.1', port: 1 }, 2)).toEqual({ kind: 'unknown' })
  },
)

test('remembering asks once for a connection, and again when it is long ago', async () => {
  let asked = 0
  let now = 0
  const ownerOf: OwnerOf = async () => {
    asked += 1
    return { kind: 'user', uid: asked }
  }
  const remembered = remembering(ownerOf, () => now)
  const peer = { address: '127.0.0.1', port: 1000 }
  await remembered(peer, 1)
  await remembered(peer, 1)
  expect(asked).toBe(1)
  await remembered({ ...peer, port: 1001 }, 1)
  expect(asked).toBe(2)
  now = 10_001
  expect(await remembered(peer, 1)).toEqual({ kind: 'user', uid: 3 })
})
