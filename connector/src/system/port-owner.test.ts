/** Who has a port: a real listener, and tables as Linux writes them. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findListener, findPortOwner } from './port-owner.ts'
import { createUserNames } from './user-name.ts'

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:CB0F 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 7777 1 0000000000000000 100 0 0 10 0
   1: 0100007F:CB10 0100007F:CB0F 01 00000000:00000000 00:00000000 00000000  1002        0 8888 1 0000000000000000 100 0 0 10 0
`

test('listener is found by its port', () => {
  expect(findListener(table, 51_983)).toEqual({ user: '1001', inode: '7777' })
})

test.each([51_984, 1, 5198])('port %d, on which no program listens, has no owner', (port) => {
  expect(findListener(table, port)).toBeUndefined()
})

test.runIf(process.platform === 'linux').each(['127.0.0.1', '::1'])(
  'program that listens on %s is named with its process and its user',
  async (host) => {
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expect(await findPortOwner(port)).toEqual({
      user: String(process.getuid?.()),
      program: { name: expect.any(String), pid: process.pid },
      address: host,
    })
    server.close()
    await once(server, 'close')
    expect(await findPortOwner(port)).toBeUndefined()
  },
)

test('name of a user is read from the system once', async () => {
  const commands: string[] = []
  const nameOf = createUserNames(async (program, args) => {
    commands.push([program, ...args].join(' '))
    return { status: 0, output: 'ada\n' }
  })
  expect([await nameOf('1000'), await nameOf('1000')]).toEqual(['ada', 'ada'])
  expect(commands).toEqual(['id -un 1000'])
})

test.each(['S-1-5-21-1-2-3-1001', '-u root', '', '1000; id'])(
  '%j, which is not a user id, starts no query',
  async (user) => {
    const nameOf = createUserNames(async () => {
      throw new Error('It was asked')
    })
    expect(await nameOf(user)).toBeUndefined()
  },
)

test('user whom the system does not know has no name', async () => {
  const nameOf = createUserNames(async () => ({ status: 1, output: 'no such user' }))
  expect(await nameOf('4294967')).toBeUndefined()
})
