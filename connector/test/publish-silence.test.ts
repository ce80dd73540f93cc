/** `npm run publish` does not wait for a service that has stopped answering. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createLogin, createService } from '../publish/service.ts'

/** It takes what it gets, and says nothing. */
let server: Server
const sockets: Socket[] = []
let url = ''
beforeAll(async () => {
  server = createServer((socket) => void sockets.push(socket.resume())).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const silenceMs = 200
const file = {
  name: 'cardwire.deb',
  content: { text: 'a deb' },
  size: 5,
  sha256: 'ab'.repeat(32),
} as const

test.each([
  ['a sign-in', () => createLogin(url, 'ada', 'the password', silenceMs)()],
  ['a question', () => createService(url, async () => 'token', silenceMs).findVersion('4.0.1')],
  [
    'an upload',
    () => createService(url, async () => 'token', silenceMs).upload(file, 1, () => undefined),
  ],
])('a service that says nothing to %s ends the command', async (_, run) => {
  proves('publish-misled')
  await expect(run()).rejects.toThrow(`Cannot use ${url}: it has not responded for 0.2 s`)
})
