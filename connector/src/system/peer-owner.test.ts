/** Whose process is at the other end: real connections, real tables of the system. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createLinuxPeerOwner } from './linux-peer-owner.ts'
import { openSocketQuery } from './linux-socket-query.ts'

const open: { close(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

/** A connection to a server on `host`: who came, as the server sees it, and the server's port. */
async function connected(host: string) {
  const server = createServer({ allowHalfOpen: true }).listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const client = connect(port, host)
  const [socket]: Socket[] = await once(server, 'connection')
  // It hears of resets.
  socket?.on('error', () => undefined)
  open.push(server, { close: () => client.destroy() }, { close: () => socket?.destroy() })
  const peer = { address: socket?.remoteAddress ?? '', port: socket?.remotePort ?? 0 }
  return { peer, port, client }
}

const ways = [
  ['by asking the system', openSocketQuery()],
  ['by its tables', () => undefined],
] as const

describe.runIf(process.platform === 'linux').each(ways)('linuxOwner %s', (_, ask) => {
  const uid = process.getuid?.() ?? 0
  const ownerOf = createLinuxPeerOwner(uid, ask)

  test.each(['127.0.0.1', '::1'])('names our own user over %s', async (host) => {
    const { peer, port } = await connected(host)
    expect(await ownerOf(peer, port)).toEqual({ kind: 'ours', user: String(uid) })
  })

  test('finds a caller whose socket is one of IPv6 that holds an address of IPv4', async () => {
    const { peer, port } = await connected('::ffff:127.0.0.1')
    const [address = ''] = peer.address.split(':').slice(-1)
    expect(await ownerOf({ ...peer, address }, port)).toMatchObject({ kind: 'ours' })
  })

  test('distinguishes another user from this one', async () => {
    const { peer, port } = await connected('127.0.0.1')
    const other = createLinuxPeerOwner(uid + 1, ask)
    expect(await other(peer, port)).toEqual({ kind: 'other', user: String(uid) })
  })

  test('knows that a connection is not there, nor one from another address', async () => {
    const { peer, port } = await connected('127.0.0.1')
    const gone = { kind: 'gone' }
    expect(await ownerOf({ address: '127.0.0.1', port: 1 }, 2)).toEqual(gone)
    for (const address of ['127.0.0.2', '::1'])
      expect(await ownerOf({ ...peer, address }, port)).toEqual(gone)
    expect(await ownerOf({ ...peer, address: '' }, port)).toEqual(gone)
  })

  test('does not take a listener of a port for a caller from that port', async () => {
    const { peer, port } = await connected('127.0.0.1')
    expect(await ownerOf({ ...peer, port }, peer.port + 1)).toEqual({ kind: 'gone' })
  })

  test.each(['127.0.0.1', '::1'])('knows that a caller over %s has gone', async (host) => {
    proves('owner-per-request', 'owner-look-up-race')
    const { peer, port, client } = await connected(host)
    expect(await ownerOf(peer, port)).toMatchObject({ kind: 'ours' })
    client.resetAndDestroy()
    await once(client, 'close')
    expect(await ownerOf(peer, port)).toEqual({ kind: 'gone' })
  })

  test('finds no owner for a connection that its caller has closed, while the system still lists it', async () => {
    proves('owner-look-up-race')
    const { peer, port, client } = await connected('127.0.0.1')
    // Our end stays open: theirs stands in the table with the user 0.
    client.destroy()
    await once(client, 'close')
    expect(await createLinuxPeerOwner(0, ask)(peer, port)).toEqual({ kind: 'gone' })
  })
})
