/** The connections of webhooks: which addresses a name may have, and what becomes of hostile receivers. */
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createWebhookPost } from './post-webhook.ts'

/** What names resolve to, one list after the other. */
const answers = vi.hoisted(() => ({ lists: [] as string[][], count: 0 }))
vi.mock('node:dns', async (original) => ({
  ...(await original<typeof import('node:dns')>()),
  lookup: (
    _name: string,
    _options: object,
    done: (error: null, addresses: { address: string; family: number }[]) => void,
  ) => {
    const list = answers.lists[Math.min(answers.count, answers.lists.length - 1)] ?? []
    answers.count += 1
    done(
      null,
      list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  },
}))

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function listen(handler: RequestListener): Promise<number> {
  const server = createServer(handler)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const resolveTo = (...lists: string[][]) => Object.assign(answers, { lists, count: 0 })

const post = (url: string, isPrivate = false, signal = AbortSignal.timeout(2000)) =>
  createWebhookPost({ webhookPrivateAddresses: isPrivate })({
    ...{ url, headers: { 'content-type': 'application/json' }, body: '{}', signal },
  })

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '0.0.0.0',
  '224.0.0.1',
  '::1',
  '::',
  'fd00::1',
  'fe80::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
])('a webhook does not connect to a name with the address %s', async (address) => {
  proves('webhook-address')
  resolveTo([address])
  expect(await post('https://hooks.example:1/')).toEqual({ reason: 'address-refused' })
  resolveTo(['93.184.216.34', address])
  expect(await post('https://hooks.example:1/')).toEqual({ reason: 'address-refused' })
})

test('a webhook connects to the address that was checked: its name is resolved once', async () => {
  proves('webhook-address')
  let requests = 0
  const port = await listen((_request, response) => {
    requests += 1
    response.writeHead(204).end()
  })
  // Allowed at first, and another one for each later question.
  resolveTo(['127.0.0.1'], ['10.0.0.1'])
  expect(await post(`http://hooks.localhost:${port}/`, true)).toEqual({ status: 204 })
  expect([requests, answers.count]).toEqual([1, 1])
  // Plain http stays on this machine, whatever the name says.
  resolveTo(['10.0.0.1'])
  expect(await post(`http://hooks.localhost:${port}/`, true)).toEqual({ reason: 'address-refused' })
})

test('a webhook follows no redirect, and stops reading a response without an end', async () => {
  proves('webhook-address', 'webhook-flood')
  const paths: (string | undefined)[] = []
  const port = await listen((request, response) => {
    paths.push(request.url)
    response.writeHead(307, { location: '/internal' }).end()
  })
  expect(await post(`http://127.0.0.1:${port}/hook`, true)).toEqual({ status: 307 })
  expect(paths).toEqual(['/hook'])

  const closed = Promise.withResolvers<number>()
  const endless = await listen((_request, response) => {
    let bytes = 0
    const write = () => {
      do bytes += 1024
      while (response.write('x'.repeat(1024)))
    }
    response.on('drain', write)
    response.on('close', () => closed.resolve(bytes))
    response.writeHead(200)
    write()
  })
  expect(await post(`http://127.0.0.1:${endless}/`, true)).toEqual({ status: 200 })
  // What fits into the buffers of the connection is sent at most.
  expect(await closed.promise).toBeLessThan(16 * 1024 * 1024)
})

test('a webhook says why there was no response', async () => {
  proves('webhook-receiver')
  const silent = await listen(() => undefined)
  const early = AbortSignal.abort()
  expect(await post(`http://127.0.0.1:${silent}/`, true, early)).toEqual({ reason: 'timeout' })
  const plain = createTcpServer((socket) => socket.end('not TLS at all, and not HTTP either\n'))
  await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done))
  stops.push(() => plain.close())
  const { port } = plain.address() as AddressInfo
  expect(await post(`https://127.0.0.1:${port}/`, true)).toEqual({ reason: 'tls-failed' })
  expect(await post(`http://127.0.0.1:${port}/`, true)).toEqual({ reason: 'connection-failed' })
})
