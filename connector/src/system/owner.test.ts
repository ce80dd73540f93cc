/** Whose process is at the other end: real connections, real tables of the system. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { linuxOwner } from './linux-owner.ts'
import { type OwnerOf, remembering } from './owner.ts'

const open: { close(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

/** A connection to a server on `host`: who came, as the server sees it, and the server's port. */
async function connected(host: string, from?: { readonly host: string; readonly port: number }) {
  const server = createServer().listen(from?.port ?? 0, from?.host ?? host)
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const client = connect(port, host)
  open.push(server, { close: () => client.destroy() })
  const [socket]: Socket[] = await once(server, 'connection')
  return { peer: { address: socket?.remoteAddress ?? '', port: socket?.remotePort ?? 0 }, port }
}

describe.runIf(process.platform === 'linux')('linuxOwner', () => {
  const uid = String(process.getuid?.())

  test.each(['127.0.0.1', '::1'])('names our own user over %s', async (host) => {
    const { peer, port } = await connected(host)
    expect(await linuxOwner()(peer, port)).toEqual({ kind: 'ours', user: uid })
  })

  test('finds a caller whose socket is one of IPv6 that holds an address of IPv4', async () => {
    const { peer, port } = await connected('::ffff:127.0.0.1')
    const [address] = peer.address.split(':').slice(-1)
    expect(await linuxOwner()({ ...peer, address: address ?? '' }, port)).toMatchObject({
      kind: 'ours',
    })
  })

  test('tells another user from us', async () => {
    const { peer, port } = await connected('127.0.0.1')
    const other = linuxOwner((process.getuid?.() ?? 0) + 1)
    expect(await other(peer, port)).toEqual({ kind: 'other', user: uid })
  })

  test('does not know a connection that is not there, nor one from another address', async () => {
    const { peer, port } = await connected('127.0.0.1')
    const unknown = { kind: 'unknown' }
    expect(await linuxOwner()({ address: '127.0.0.1', port: 1 }, 2)).toEqual(unknown)
    for (const address of ['127.0.0.2', '::1', ''])
      expect(await linuxOwner()({ ...peer, address }, port)).toEqual(unknown)
  })
})

test('remembering asks once for a connection, and again when it is long ago', async () => {
  let asked = 0
  let now = 0
  const ownerOf: OwnerOf = async () => {
    asked += 1
    return { kind: 'other', user: String(asked) }
  }
  const remembered = remembering(ownerOf, () => now)
  const peer = { address: '127.0.0.1', port: 1000 }
  await remembered(peer, 1)
  await remembered(peer, 1)
  expect(asked).toBe(1)
  await remembered({ ...peer, port: 1001 }, 1)
  expect(asked).toBe(2)
  now = 10_001
  expect(await remembered(peer, 1)).toEqual({ kind: 'other', user: '3' })
})
